/** Default views of lists, which are loaded while another page is open. */
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { ListContextProvider } from 'ra-core';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { machines } from '../../schema/entities/machines';
import { createQueryClient } from '../../src/app/queryClient';
import type { Columns } from '../../src/crud/list/columns';
import { defaultViewsQuery, usePrefetchDefaults } from '../../src/crud/list/defaultViews';
import { useDefaultView } from '../../src/crud/list/useSavedViews';
import { session } from '../../src/providers/session';

const { queryKey } = defaultViewsQuery;

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
  expect(client.getQueryData(queryKey)).toEqual([view]);
  await vi.advanceTimersByTimeAsync(10 * 60 * 1000);
  expect(client.getQueryData(queryKey)).toEqual([view]);
  client.clear();
});

test('a list opens with the default view as it is after a change', async () => {
  const view = { id: 1, name: 'Mine', resource: 'machines', user_id: 1, columns: [], widths: [], layout: 'table' };
  const viewOf = (status: string) => ({ ...view, query: `filter[status]=${status}` });
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: [viewOf('Offline')], total: 1 })));
  const client = createQueryClient(() => undefined);
  client.setQueryData(queryKey, [viewOf('Online')]);
  await client.invalidateQueries({ queryKey: ['saved_views'] });
  const { result } = renderHook(
    () => {
      useDefaultView(machines, {} as Columns, false);
      return new URLSearchParams(useLocation().search).get('filter');
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>
          <MemoryRouter>
            <ListContextProvider value={{ filterValues: {} } as never}>{children}</ListContextProvider>
          </MemoryRouter>
        </QueryClientProvider>
      ),
    },
  );
  await vi.waitFor(() => expect(result.current).toBe('{"status":"Offline"}'));
  client.clear();
});
