/** Truncated responses, as when a connection drops halfway. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { machines } from '../../schema/entities/machines';
import { deleteMany } from '../../src/providers/bulk';
import { downloadWithRowCount } from '../../src/providers/downloadWithRowCount';
import { api, download } from '../../src/providers/http';

const cutOffResponse = () => {
  let hasStarted = false;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (hasStarted) controller.error(new TypeError('network error'));
      else controller.enqueue(new TextEncoder().encode('{"done":1,"of":3}\n'));
      hasStarted = true;
    },
  });
};
beforeEach(() => void vi.stubGlobal('fetch', async () => new Response(cutOffResponse(), { status: 200 })));
afterEach(() => void vi.unstubAllGlobals());

const { signal } = new AbortController();
const calls: [string, () => Promise<unknown>][] = [
  ['a call', () => api('machines')],
  ['a file', () => download('documents/1/file', 'a.pdf')],
  [
    'an export',
    () => downloadWithRowCount('machines/export', { name: 'a.csv', type: 'text/csv', progress: () => {}, signal }),
  ],
  ['bulk work', () => deleteMany(machines, { ids: [1], count: 1 }, { progress: () => {} })],
];

describe('a truncated response is reported in the user’s language', () => {
  test.each(calls)('%s', async (_name, call) => {
    await expect(call()).rejects.toMatchObject({ message: 'errors.network', status: 0 });
  });
});
