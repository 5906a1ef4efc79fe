import { describe, expect, test } from 'vitest';
import { machines } from '../../schema/entities/machines';
import {
  type ListSnapshot,
  listSearch,
  listSnapshotOf,
  matchesView,
  type SavedView,
  viewValues,
} from '../../src/crud/list/savedView';

const snapshot: ListSnapshot = {
  filter: { status: ['Offline', 'Parked'], is_dummy: false, fleet_id: 7, note: null, price: '>=100', search: 'a,b' },
  sort: { field: 'location.name', order: 'DESC' },
  perPage: 50,
  columns: ['serial_number', 'status'],
  widths: { status: 120 },
  view: 'map',
};
const savedView = (values: Partial<SavedView> = {}) =>
  ({ id: 1, name: 'Idle', ...viewValues(machines, snapshot), ...values }) as SavedView;

describe('a saved view', () => {
  test('stores a list in the list dialect and restores it unchanged', () => {
    expect(savedView()).toMatchObject({
      resource: 'machines',
      columns: ['serial_number', 'status'],
      widths: ['status:120'],
      layout: 'map',
    });
    expect(listSnapshotOf(machines, savedView(), [])).toEqual(snapshot);
  });

  test('is recognized while the list matches it exactly', () => {
    expect(matchesView(machines, savedView(), snapshot)).toBe(true);
    const otherSnapshots: Partial<ListSnapshot>[] = [
      { perPage: 10 },
      { view: undefined },
      { filter: {} },
      { columns: ['status'] },
      { widths: {} },
      { widths: { status: 121 } },
      { sort: { field: 'id', order: 'ASC' as const } },
    ];
    for (const otherSnapshot of otherSnapshots)
      expect(matchesView(machines, savedView(), { ...snapshot, ...otherSnapshot })).toBe(false);
  });

  test('without columns or query keeps the current columns and the declared sort', () => {
    const plainSnapshot = listSnapshotOf(
      machines,
      savedView({ query: null, columns: [], widths: [], layout: 'table' }),
      ['status'],
    );
    expect(plainSnapshot).toEqual({
      filter: {},
      sort: { field: 'serial_number', order: 'ASC' },
      perPage: 10,
      columns: ['status'],
      widths: {},
      view: undefined,
    });
  });

  test('becomes a URL that a list can parse', () => {
    const params = new URLSearchParams(listSearch(snapshot));
    expect(JSON.parse(params.get('filter') ?? '')).toEqual(snapshot.filter);
    expect([params.get('sort'), params.get('order'), params.get('perPage'), params.get('view')]).toEqual([
      'location.name',
      'DESC',
      '50',
      'map',
    ]);
  });
});
