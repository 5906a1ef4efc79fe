/** Saving single cells of a list. */
import { QueryClient } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { CoreAdminContext, type DataProvider, HttpError } from 'react-admin';
import { expect, test } from 'vitest';
import { types } from '../../schema/entities/types';
import { useSaveCell } from '../../src/crud/list/useSaveCell';

test('a cell that was changed twice returns to its stored value if both saves are rejected', async () => {
  const client = new QueryClient();
  const key = ['types', 'getList', {}];
  client.setQueryData(key, { data: [{ id: 1, version: 1, name: 'A' }], total: 1 });
  const cachedRow = () => client.getQueryData<{ data: { id: number; version: number; name: string }[] }>(key)?.data[0];
  const rejections: (() => void)[] = [];
  const dataProvider = {
    update: () =>
      new Promise((_, reject) => {
        rejections.push(() => reject(new HttpError('Invalid', 422, { errors: { name: 'Taken.' } })));
      }),
  } as unknown as DataProvider;
  const wrapper = ({ children }: { children: ReactNode }) => (
    <CoreAdminContext dataProvider={dataProvider} queryClient={client}>
      {children}
    </CoreAdminContext>
  );
  const { result } = renderHook(() => useSaveCell(types, []), { wrapper });
  const change = (value: string) => {
    const record = cachedRow();
    if (!record) throw new Error('The row has left the cache.');
    return result.current({ record, source: 'name', value });
  };
  await act(async () => {
    const saves = [change('B'), change('C')];
    expect(cachedRow()?.name).toBe('C');
    for (const count of [1, 2]) {
      await expect.poll(() => rejections.length).toBe(count);
      rejections.at(-1)?.();
    }
    expect(await Promise.all(saves)).toEqual([{ problem: 'Taken.' }, { problem: 'Taken.' }]);
  });
  expect(cachedRow()?.name).toBe('A');
});
