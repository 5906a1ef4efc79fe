/** Uploads of files of service entries. */
import { HttpError } from 'react-admin';
import { call } from '../../providers/call';

/** Uploads or replaces an entry's file. @throws HttpError with the message at the field, if any */
export async function sendPaper(entry: number, file: File): Promise<void> {
  const form = new FormData();
  form.append('file', file);
  try {
    await call('POST /service_entries/{id}/file', { params: { id: entry }, form });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { errors } = (error.body ?? {}) as { errors?: Record<string, string[]> };
    throw new HttpError(errors?.file?.[0] ?? error.message, error.status, error.body);
  }
}
