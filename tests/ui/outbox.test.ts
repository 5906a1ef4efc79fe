/** Unsent entries and cached responses belong to the user who created them, even after another user logs in. */
import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../src/providers/http';
import { findLastSeen } from '../../src/providers/lastSeen';
import { sendWaiting, submitEntry } from '../../src/providers/outbox';
import { session } from '../../src/providers/session';

const rows = vi.hoisted(() => new Map<number, { id: number; userId: number }>());
vi.mock('../../src/providers/deviceStore', () => ({
  openDeviceStore: async () => ({
    get: async () => undefined,
    getAll: async () => [...rows.values()],
    add: async (_: string, row: { id: number; userId: number }) => {
      rows.set(9, { ...row, id: 9 });
      return 9;
    },
    put: async (_: string, row: { id: number; userId: number }) => void rows.set(row.id, row),
    delete: async (_: string, id: number) => void rows.delete(id),
    clear: async () => undefined,
  }),
}));

const login = (id: number, claims = {}) => {
  const claim = btoa(JSON.stringify({ id, ...claims }));
  session.set({ t: `token-${id}`, ut: `e30.${claim}.` });
};
const entry = (id: number, files: File[] = []) => ({
  id,
  userId: 1,
  key: `key-${id}`,
  path: 'alerts/problems',
  filePath: 'alerts/{id}/photos',
  body: {},
  files,
});
/** Records paths and tokens of the calls; `during` runs while the first call is in flight. */
function serve(during: () => void): [path: string, token: string | undefined][] {
  const calls: [string, string | undefined][] = [];
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: Record<string, string> }) => {
    if (path === '/healthz') return Response.json({ status: 'ok' });
    calls.push([path.replace('/api/v1/', ''), headers.Authorization]);
    if (calls.length === 1) during();
    return Response.json({ data: { id: 70 } });
  });
  return calls;
}

beforeEach(() => {
  rows.clear();
  login(1);
});

test('pending entries are not sent in the name of another user who logs in meanwhile', async () => {
  for (const id of [5, 6]) rows.set(id, entry(id));
  const calls = serve(() => login(2));
  await sendWaiting();
  expect(calls).toEqual([['alerts/problems', 'Bearer token-1']]);
  expect([...rows.keys()]).toEqual([6]);
});

test('pending photos are not sent in the name of another user, but when their author logs in again', async () => {
  rows.set(5, entry(5, [new File(['x'], 'x.jpg')]));
  const calls = serve(() => login(1, { impersonated_by: 'Admin' }));
  await sendWaiting();
  expect(calls).toHaveLength(1);
  expect(rows.get(5)).toMatchObject({ createdId: 70, files: [{ name: 'x.jpg' }] });

  login(1);
  await sendWaiting();
  expect(calls.slice(1)).toEqual([['alerts/70/photos', 'Bearer token-1']]);
  expect(rows.size).toBe(0);
});

test('a response that arrives after a change of user is not stored for the next one', async () => {
  serve(() => login(2));
  await api('machines/7');
  expect(await findLastSeen('machines/7')).toBeUndefined();

  await api('machines/7');
  expect(await findLastSeen('machines/7')).toContain('70');
});

test('a page that answers instead of the server, as before a log-in to a Wi-Fi network, is not stored', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>'));
  await expect(api('machines/8')).rejects.toMatchObject({ status: 0 });
  expect(await findLastSeen('machines/8')).toBeUndefined();
});

test('an entry waits if such a page answers, and is sent once the server does', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>'));
  vi.useFakeTimers();
  const newEntry = { ...entry(9), kind: 'note', about: 'SN-1', words: 'Leaks' } as const;
  expect(await submitEntry(newEntry)).toEqual({ isSent: false });
  expect([...rows.keys()]).toEqual([9]);

  const calls = serve(() => {});
  // The poll may have begun in a test before, with a real timer.
  globalThis.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  expect(calls).toHaveLength(1);
  expect(rows.size).toBe(0);
});
