/** Uploads files to import, and awaits their results. */
import type { Method, TestApp } from './startTestApp';
import { uploadFile } from './uploadFile';

export interface Import {
  id: number;
  state: string;
  counts: { create: number; update: number; unchanged: number; error: number };
  errors: { row: number; column: string | null; field: string | null; message: string }[];
  problem: string | null;
  columns: { head: string; key: string; target: string | null; left_out?: string }[];
  facts: { kind: string; encoding?: string; delimiter?: string; header_row: number; rows: number; formulas: number };
  missing: Record<string, string[]>;
}

interface ImportFileOptions {
  name?: string;
  /** Form fields in addition to the file. */
  fields?: Record<string, string>;
  /** Whether to commit the import automatically. */
  commits?: boolean;
}

/** Uploads a file and waits until the server has finished its work on the import. */
export async function importFile(
  app: TestApp,
  caller: number | string,
  resource: string,
  content: string | Uint8Array,
  { name = 'file.csv', fields = {}, commits = false }: ImportFileOptions = {},
) {
  const upload = await uploadFile<{ data: Import; message: string; errors: Record<string, string[]> }>(
    app,
    caller,
    `${resource}/import${commits ? '' : '?dry_run=1'}`,
    { name, content, fields },
  );
  return {
    ...upload,
    data:
      upload.status === 202 ? await waitUntilFinished(app, caller, upload.body.data.id) : (upload.body.data as Import),
  };
}

/** Makes a call on an import and waits until the server has finished its work on it. */
export async function callImport(app: TestApp, caller: number | string, method: Method, path: string, body?: object) {
  const response = await app.call<{ data: Import; message: string }>(caller, method, `imports/${path}`, body);
  const id = Number(path.split('/')[0]);
  return { ...response, data: response.status === 202 ? await waitUntilFinished(app, caller, id) : response.body.data };
}

/** Polls an import until the server has finished its work on it. */
export async function waitUntilFinished(app: TestApp, caller: number | string, id: number): Promise<Import> {
  for (;;) {
    const { status, body, text } = await app.call<{ data: Import }>(caller, 'GET', `imports/${id}`);
    if (status !== 200) throw new Error(text);
    if (!['waiting', 'checking', 'committing', 'undoing'].includes(body.data.state)) return body.data;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
