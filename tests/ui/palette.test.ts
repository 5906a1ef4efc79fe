import { describe, expect, it } from 'vitest';
import { machines } from '../../schema/entities/machines';
import { copyOf } from '../../src/crud/record/DuplicateLink';
import { positionInList } from '../../src/crud/shared/lastList';
import { filterByName, navigationTargets, withoutAccents } from '../../src/layout/navigationTargets';
import { rowAt } from '../../src/layout/useSearchActions';
import { session } from '../../src/providers/session';

const target = (name: string) => ({ label: name, name, icon: 'table' as const, to: `/${name}` });

describe('pages offered by the search', () => {
  it('match any part of their name, regardless of case and accents', () => {
    expect(withoutAccents('MÜNCHEN Łódź é')).toBe('munchen łodz e');
    expect(filterByName([target('Länder'), target('Rollen')], 'lander').map(({ name }) => name)).toEqual(['Länder']);
    expect(filterByName([target('Add machine'), target('Machines')], 'mach').map(({ name }) => name)).toEqual([
      'Machines',
      'Add machine',
    ]);
    expect(filterByName([target('Add machine'), target('Machines')], 'mach add').map(({ name }) => name)).toEqual([
      'Add machine',
    ]);
  });

  it('include the calendar only with both permissions that its page needs', () => {
    const hasCalendar = (permissions: readonly string[]) => {
      session.set({ ut: `x.${btoa(JSON.stringify({ id: 1, roles: ['Night shift'], permissions }))}.x` });
      return navigationTargets().some(({ to }) => to === '/locations/calendar');
    };
    expect(hasCalendar(['locations.list', 'machines.list'])).toBe(true);
    expect(hasCalendar(['locations.list'])).toBe(false);
  });
});

describe('the record whose page is open', () => {
  it.each([
    ['/machines/7', 'machines 7'],
    ['/machines/7/logs', 'machines 7'],
    ['/admin/companies/3/edit', 'clients 3'],
    ['/admin/fleets/types/2', 'types 2'],
    ['/machines', undefined],
    ['/machines/create', undefined],
    ['/account', undefined],
  ])('of %s is %s', (path, row) => {
    const paletteRow = rowAt(path);
    expect(paletteRow && `${paletteRow.entity.name} ${paletteRow.id}`).toBe(row);
  });
});

describe('position of a record in the list from which it was opened', () => {
  const list = {
    ids: [9, 4, 7],
    page: 3,
    perPage: 3,
    total: 8,
    filter: {},
    sort: { field: 'id', order: 'ASC' as const },
  };
  it('counts the previous pages, and is undefined for a record of another page', () => {
    expect(positionInList(list, 4)).toBe(8);
    expect(positionInList(list, '9')).toBe(7);
    expect(positionInList(list, 5)).toBeUndefined();
  });
});

describe('a duplicate', () => {
  it('starts with copyable values: no unique value, no tracker, nothing empty or measured', () => {
    const permissions = ['machines.create', 'machines.edit', 'machines.finance'];
    const payload = btoa(JSON.stringify({ id: 1, roles: ['Admin'], permissions }));
    session.set({ ut: `x.${payload}.x` });
    const record = {
      id: 7,
      serial_number: 'S-1',
      tracker_id: 3,
      type_id: 2,
      fleet_id: 5,
      note: null,
      price: '10.00',
      status: 'Parked',
      version: 4,
    };
    expect(copyOf(machines, record)).toEqual({ type_id: 2, fleet_id: 5, price: '10.00' });
  });
});
