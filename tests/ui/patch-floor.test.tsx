/** Two users edit a floor concurrently: the second save is rejected once, and then based on the first one. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { usePatchFloor } from '../../src/resources/floors/usePatchFloor';

afterEach(() => vi.unstubAllGlobals());

/** A floor on a server that accepts changes only to its current version. */
function serveFloor(version: number) {
  const expected: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    const match = new Headers(headers).get('If-Match');
    expected.push(match);
    const isCurrent = match === `"${version}"`;
    const body = isCurrent ? { data: {} } : { message: 'Somebody changed it.', current: { id: 7, version } };
    return new Response(JSON.stringify(body), { status: isCurrent ? 200 : 412 });
  });
  return expected;
}

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
);
const openEditor = (version: number) =>
  renderHook((floor) => usePatchFloor(floor), { wrapper, initialProps: { id: 7, version } });

test('a save sends the version with which the editor was opened, whatever the page has loaded since', async () => {
  const expectedVersions = serveFloor(5);
  const { result, rerender } = openEditor(3);
  rerender({ id: 7, version: 5 });
  await expect(result.current.patchFloor({ rotation: 1 })).rejects.toThrow('Somebody changed it.');
  await result.current.patchFloor({ rotation: 1 });
  expect(expectedVersions).toEqual(['"3"', '"5"']);
});

test('an editor that is opened later starts from the version that the page shows by then', async () => {
  const expectedVersions = serveFloor(5);
  const { result, rerender } = openEditor(3);
  rerender({ id: 7, version: 5 });
  result.current.begin();
  await result.current.patchFloor({ maps: [] });
  expect(expectedVersions).toEqual(['"5"']);
});

test('without a network, a save reports that, and the next one still expects the same version', async () => {
  const expectedVersions = serveFloor(3);
  const { result } = openEditor(3);
  const server = fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(result.current.patchFloor({ rotation: 1 })).rejects.toThrow('errors.network');
  vi.stubGlobal('fetch', server);
  await result.current.patchFloor({ rotation: 1 });
  expect(expectedVersions).toEqual(['"3"']);
});
