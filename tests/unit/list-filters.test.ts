import { beforeEach, describe, expect, it } from 'vitest';
import { parseListQuery, printListQuery } from '../../schema/dsl/listQuery';
import { machines } from '../../schema/entities/machines';
import { users } from '../../schema/entities/users';
import { filterablePaths, filterLabel } from '../../src/crud/shared/filters';
import { filterOf } from '../../src/providers/filters';
import { session } from '../../src/providers/session';

/** Returns the last segment of the key, so that a test sees which text is used; a default takes precedence. */
const translate = (key: string, { _ }: { _?: string } = {}) => _ ?? (key.split('.').at(-1) as string);
const token = (permissions: string[]) => `x.${btoa(JSON.stringify({ id: 1, roles: [], permissions }))}.x`;

beforeEach(() => session.set({ t: 't', ut: token(['machines.list']) }));

describe('filters in API requests', () => {
  const queryOf = (filters: Record<string, unknown>) =>
    decodeURIComponent(printListQuery({ filter: filterOf(machines, filters) }));

  it('join alternatives with commas', () =>
    expect(queryOf({ status: ['Cleaning', 'Charging'] })).toBe('filter[status]=Cleaning,Charging'));
  it('accept a text of several states as used in links', () =>
    expect(queryOf({ status: 'Cleaning,Charging' })).toBe('filter[status]=Cleaning,Charging'));
  it('send a range as two comparisons', () =>
    expect(queryOf({ battery: ['>=10', '<=80'] })).toBe('filter[battery]=>=10,<=80'));
  it('preserve a comma in typed text', () => {
    const query = printListQuery({
      filter: filterOf(machines, { 'location.address': 'Haupt 5, Berlin', search: 'a,b' }),
    });
    expect(parseListQuery(query).filter).toEqual([
      { path: 'location.address', values: ['Haupt 5, Berlin'] },
      { path: 'search', values: ['a,b'] },
    ]);
  });
  it('send null for rows without a value', () =>
    expect(queryOf({ location_id: null })).toBe('filter[location_id]=null'));
  it('use dots for relations, even for nested objects', () =>
    expect(queryOf({ location: { city: 'Bonn' } })).toBe('filter[location.city]=Bonn'));
  it('omit empty values', () => expect(queryOf({ status: [], note: '', serial_number: undefined })).toBe(''));
});

describe('offered filters', () => {
  it('start with the declared ones', () =>
    expect(filterablePaths(machines).slice(0, machines.list.filters.length)).toEqual([...machines.list.filters]));
  it('contain every further readable field once', () => {
    const offeredPaths = filterablePaths(machines);
    expect(new Set(offeredPaths).size).toBe(offeredPaths.length);
    expect(offeredPaths).toContain('last_service');
    expect(offeredPaths).toContain('created_at');
  });
  it('exclude fields that the reader may not see', () => {
    expect(filterablePaths(machines)).not.toContain('price');
    session.set({ ut: token(['machines.list', 'machines.finance']) });
    expect(filterablePaths(machines)).toContain('price');
  });
  it('exclude passwords, pictures and lists of records', () => {
    const offeredPaths = filterablePaths(users);
    expect(offeredPaths).toContain('email');
    for (const name of ['password', 'password_confirmation', 'image', 'emails'])
      expect(offeredPaths).not.toContain(name);
  });
  it('are labelled along their path', () =>
    expect(filterLabel(machines, 'location.address', translate)).toBe('location_id, address'));
});
