/** Uploads of files of service entries. */
import { HttpError } from 'react-admin';
import { api } from '../../providers/http';

/** Uploads or replaces an entry's file. @throws HttpError with the message at the field, if any */
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
