/** Uploads of one file, as a multipart form. */
import type { TestApp, TestResponse } from './startTestApp';

export interface FileToUpload {
  /** Name of the form field of the file. */
  field?: string;
  name?: string;
  content: string | Uint8Array;
  /** Text fields, which precede the file. */
  fields?: Record<string, string>;
}

export function buildFileForm({ field = 'file', name = 'file', content, fields = {} }: FileToUpload) {
  const boundary = 'sweepline-boundary';
  const textParts = Object.entries(fields).map(
    ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const fileHeader = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(textParts.join('') + fileHeader),
    typeof content === 'string' ? Buffer.from(content) : content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

export function uploadFile<T>(
  app: TestApp,
  caller: number | string | undefined,
  path: string,
  file: FileToUpload,
  extraHeaders: Record<string, string> = {},
): Promise<TestResponse<T>> {
  const { body, headers } = buildFileForm(file);
  return app.call<T>(caller, 'POST', path, body, { ...headers, ...extraHeaders });
}
