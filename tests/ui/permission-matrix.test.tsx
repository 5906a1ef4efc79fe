/** The checkboxes of the permission matrix for users who cannot grant every permission. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { AdminContext, type DataProvider } from 'react-admin';
import { afterEach, expect, test } from 'vitest';
import { session } from '../../src/providers/session';
import { PermissionMatrix } from '../../src/resources/roles/PermissionMatrix';

const permissions = ['list', 'show', 'delete'].map((action, index) => ({
  id: index + 1,
  name: action,
  code_name: `machines.${action}`,
}));
const dataProvider = {
  getList: async () => ({ data: permissions, total: permissions.length }),
} as unknown as DataProvider;

afterEach(() => {
  cleanup();
  session.end();
});

test('the checkbox of a row grants what the user may grant, and revokes it again', async () => {
  const payload = { id: 2, roles: ['Partner'], permissions: ['machines.list', 'machines.show'], countries: [] };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
  let granted: readonly number[] = [];
  const Form = () => {
    const [ids, setIds] = useState<readonly number[]>([]);
    granted = ids;
    return <PermissionMatrix selectedIds={ids} onChange={setIds} />;
  };
  render(
    <AdminContext dataProvider={dataProvider}>
      <Form />
    </AdminContext>,
  );
  const row = await screen.findByRole('checkbox', { name: /users\.all_actions$/ });
  fireEvent.click(row);
  expect(granted).toEqual([1, 2]);
  fireEvent.click(row);
  expect(granted).toEqual([]);
});
