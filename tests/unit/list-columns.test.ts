import { beforeEach, describe, expect, it } from 'vitest';
import { clients } from '../../schema/entities/clients';
import { machines } from '../../schema/entities/machines';
import { users } from '../../schema/entities/users';
import { entities } from '../../schema/index';
import { availableColumns, type Columns, identityOf, withFiltered } from '../../src/crud/list/columns';
import { bulkActionsOf, idsBetween } from '../../src/crud/list/selection';
import { includesOf, titleOf, writableOf } from '../../src/crud/shared/entities';
import { lastList, rememberList } from '../../src/crud/shared/lastList';
import { session } from '../../src/providers/session';

const signInWith = (...permissions: string[]) =>
  session.set({ t: 't', ut: `x.${btoa(JSON.stringify({ id: 1, roles: [], permissions }))}.x` });
const names = (entity: (typeof entities)[number]) => availableColumns(entity).map(({ name }) => name);

beforeEach(() => signInWith('machines.list', 'fleets.list'));

describe('columns', () => {
  it.each(
    entities.map((entity) => [entity.name, entity] as const),
  )('of %s start with the declared ones that the user may see', (_, entity) => {
    signInWith(...entities.flatMap(({ name }) => [`${name}.list`, `${name}.finance`]));
    expect(names(entity).slice(0, entity.list.columns.length)).toEqual([...entity.list.columns]);
    expect(new Set(names(entity)).size).toBe(names(entity).length);
    expect(names(entity)).toContain(identityOf(entity, entity.list.columns));
  });
  it('exclude fields that the user may not see', () => {
    expect(names(machines)).not.toContain('price');
    signInWith('machines.finance');
    expect(names(machines)).toContain('price');
  });
  it('count related rows that the user may list', () => {
    expect(names(clients)).toEqual(expect.arrayContaining(['fleets', 'machines']));
    expect(names(clients)).not.toContain('users');
  });
  it('sort references by the name of their target', () =>
    expect(availableColumns(machines).find(({ name }) => name === 'fleet_id')?.sort).toBe('fleet.name'));
  it('are not sortable if their values are lists', () =>
    expect(availableColumns(clients).find(({ name }) => name === 'tags')?.sort).toBeUndefined());
});

describe('a list filtered by a range', () => {
  const available = availableColumns(machines);
  const columns = { available, visible: available.slice(0, 3) } as unknown as Columns;
  const shownBy = (filter: object) => withFiltered(columns, filter as never).visible.map(({ name }) => name);

  it('shows the filtered columns after the identity', () =>
    expect(shownBy({ next_service_due: '<=2027-01-01' })).toEqual([
      'serial_number',
      'next_service_due',
      'status',
      'type_id',
    ]));
  it('adds no column that is visible anyway or equal in every row', () => {
    expect(shownBy({ serial_number: 'S1', is_dummy: false, fleet_id: 7 })).toEqual([
      'serial_number',
      'status',
      'type_id',
    ]);
    expect(
      withFiltered({ ...columns, visible: available } as Columns, { next_service_due: '<=2027-01-01' }).visible,
    ).toBe(available);
  });
});

describe('the request of a list page', () => {
  it('includes the relations of its columns that the user may see', () =>
    expect(includesOf(machines, ['fleet_id', 'type_id', 'serial_number'])).toEqual(['fleet']));
  it('includes counts of related rows', () =>
    expect(includesOf(clients, ['machines', 'users'])).toEqual(['machinesCount']));
});

describe('the request of a form', () => {
  it('contains every writable field', () => {
    signInWith('machines.edit');
    expect(writableOf(machines, 'edit')).toContain('serial_number');
    expect(writableOf(machines, 'edit')).not.toContain('status');
    expect(writableOf(machines, 'edit')).not.toContain('price');
  });
  it('is one field for users who may change only that field', () => {
    signInWith('machines.note');
    expect(writableOf(machines, 'edit')).toEqual(['note']);
    expect(writableOf(machines, 'create')).toEqual([]);
  });
});

describe('the title of a row', () => {
  it('consists of its title fields', () =>
    expect(titleOf(users, { first_name: 'Ada', last_name: 'Lovelace', email: 'a@b.cd' }, 'en')).toBe('Ada Lovelace'));
  it('is in the user’s language for a country', () =>
    expect(
      titleOf(
        entities.find(({ name }) => name === 'countries'),
        { name: 'Germany' },
        'sv',
      ),
    ).toBe('Tyskland'));
});

it('a range of rows follows the order of the page, in both directions', () => {
  expect(idsBetween([5, 3, 9, 1], 9, 5)).toEqual([5, 3, 9]);
  expect(idsBetween([5, 3], 8, 3)).toEqual([3]);
});

describe('selected rows', () => {
  it('offer no action to read-only users, who therefore cannot select rows', () =>
    expect(bulkActionsOf(machines, false)).toEqual([]));
  it('can be changed, exported and deleted with the matching permissions', () => {
    signInWith('machines.list', 'machines.export', 'machines.edit');
    expect(bulkActionsOf(machines, false)).toEqual(['edit', 'export']);
  });
  it('can be exported and restored from the bin with the matching permissions', () => {
    signInWith('machines.list', 'machines.export', 'machines.edit', 'machines.delete');
    expect(bulkActionsOf(machines, true)).toEqual(['restore', 'export']);
    signInWith('machines.list', 'machines.export', 'machines.edit');
    expect(bulkActionsOf(machines, true)).toEqual(['export']);
  });
});

describe('the list from which a record was opened', () => {
  const list = {
    ids: [7],
    page: 1,
    perPage: 10,
    total: 1240,
    filter: {},
    sort: { field: 'id', order: 'ASC' as const },
  };
  const signInAs = (id: number) =>
    session.set({ t: 't', ut: `x.${btoa(JSON.stringify({ id, roles: [], permissions: [] }))}.x` });

  it('is known to the user who opened it only', () => {
    signInAs(1);
    rememberList('machines', list);
    expect(lastList('machines')).toEqual(list);
    signInAs(2);
    expect(lastList('machines')).toBeUndefined();
  });
});
