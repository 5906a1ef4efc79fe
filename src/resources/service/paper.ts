/** Files of service entries on their way to the server. */
import { HttpError } from 'react-admin';
import { api } from '../../providers/http';

/**
 * Puts a file in the place of an entry's. @throws HttpError whose message is the sentence at the field, where there is
 * one
 */
export async function sendPaper(entry: number, file: File): Promise<void> {
  const form = new FormData();
  form.append('file', file);
  try {
    await api(`service_entries/${entry}/file`, { method: 'POST', form });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { errors } = (error.body ?? {}) as { errors?: Record<string, string[]> };
    throw new HttpError(errors?.file?.[0] ?? error.message, error.status, error.body);
  }
}
