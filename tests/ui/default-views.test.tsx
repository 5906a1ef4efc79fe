/** Default views of lists, which are loaded while another page is open. */
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../src/app/queryClient';
import { defaultsKey, usePrefetchDefaults } from '../../src/crud/list/defaultViews';
import { session } from '../../src/providers/session';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('default views stay known, however long the page before the list is open', async () => {
  vi.useFakeTimers();
  const view = { id: 1, name: 'Mine', resource: 'machines' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: [view], total: 1 }), { status: 200 }));
  session.set({ t: 't', ut: `x.${btoa(JSON.stringify({ id: 1, roles: [], permissions: ['saved_views.list'] }))}.x` });
  const client = createQueryClient(() => undefined);
  renderHook(usePrefetchDefaults, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  await vi.advanceTimersByTimeAsync(2000);
  expect(client.getQueryData(defaultsKey)).toEqual([view]);
  await vi.advanceTimersByTimeAsync(10 * 60 * 1000);
  expect(client.getQueryData(defaultsKey)).toEqual([view]);
  client.clear();
});
