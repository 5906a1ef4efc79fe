/**
 * Read access matrix: every role with every entity, by every kind of read. For the caller a row out of scope does not
 * exist: it is 404, and never part of a list, count, filter, sort, include or export.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Entity, isCreatable, isReadOnly, type RoleName } from '../../schema/dsl/entity';
import { entities } from '../../schema/index';
import { hasPermission, rolesAndEntities, unreadableFields } from '../support/rolePermissions';
import { type RoleVisibility, readRoleVisibility, sortIds } from '../support/roleVisibility';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let visibility: RoleVisibility;

interface Item {
  id: number;
  [field: string]: unknown;
}
interface List {
  data: Item[];
  total: number;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  visibility = await readRoleVisibility(app.db, world);
});
afterAll(() => app.close());

const get = <T = List>(role: RoleName, path: string) => app.call<T>(world.users[role], 'GET', path);
const idsOf = ({ data }: List) => data.map(({ id }) => id);
const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
const message = (body: unknown) => (body as { message: string }).message;

describe.each(rolesAndEntities)('$role reads $name', ({ role, entity }) => {
  const { name, fields } = entity;
  const mayList = hasPermission(role, entity, 'list');
  const hiddenFields = unreadableFields(role, entity);
  const relations = Object.entries(fields).flatMap(([field, { kind, to }]) =>
    to ? [{ relation: kind === 'ref' ? field.replace(/_id$/, '') : kind === 'refs' ? to : field, to, kind }] : [],
  );
  const findEntity = (to: string) => entities.find((other) => other.name === to) as Entity;
  const isVisible = (to: string) =>
    hasPermission(role, findEntity(to), 'list') || hasPermission(role, findEntity(to), 'show');

  test('lists and counts the rows in scope', async () => {
    const { status, body } = await get(role, `${name}?per_page=1000&sort=id`);
    if (!mayList) {
      expect([status, body]).toEqual([403, { message: 'This action is unauthorized.' }]);
      return;
    }
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(visibility.visibleIds(role, entity));
    expect(body.total).toBe(visibility.visibleIds(role, entity).length);
  });

  test('reads one row in scope', async () => {
    const [id] = visibility.visibleIds(role, entity);
    const { status, body, headers } = await get<{ data: Item }>(
      role,
      `${name}/${id ?? visibility.initialIds[name]?.[0] ?? 999_999}`,
    );
    if (!hasPermission(role, entity, 'show')) expect(status).toBe(403);
    else if (id !== undefined) {
      expect([status, body.data?.id]).toEqual([200, id]);
      expect(headers.etag).toBe(`"${body.data.version}"`);
    } else expect(status).toBe(404);
  });

  test('responds 404 to rows out of scope', async () => {
    for (const id of [...visibility.hiddenIds(role, entity).slice(0, 3), 999_999]) {
      const { status, body } = await get(role, `${name}/${id}`);
      if (hasPermission(role, entity, 'show')) expect([id, status, message(body)]).toEqual([id, 404, 'Not found.']);
      else expect([id, status]).toEqual([id, 403]);
    }
  });

  test('filters match no row out of scope', async () => {
    if (!mayList) return expect((await get(role, `${name}?${query({ 'filter[id]': '1' })}`)).status).toBe(403);
    const unreachableIds = visibility.hiddenIds(role, entity);
    const [reachableId] = visibility.visibleIds(role, entity);
    const mixedIds = [...unreachableIds.slice(0, 20), ...(reachableId === undefined ? [] : [reachableId])];
    const { body } = await get(role, `${name}?${query({ 'filter[id]': mixedIds.join(',') })}`);
    expect(idsOf(body)).toEqual(reachableId === undefined ? [] : [reachableId]);
    expect(body.total).toBe(reachableId === undefined ? 0 : 1);
    const trashedList = await get(
      role,
      `${name}?${query({ 'filter[trashed]': 'with', per_page: '1000', sort: 'id' })}`,
    );
    expect(idsOf(trashedList.body)).toEqual(visibility.visibleIds(role, entity));
    return expect((await get(role, `${name}?${query({ 'filter[trashed]': 'only' })}`)).body.total).toBe(0);
  });

  test('search matches no row out of scope', async () => {
    if (!mayList) return expect((await get(role, `${name}?${query({ 'filter[search]': 'south' })}`)).status).toBe(403);
    const { status, body } = await get(role, `${name}?${query({ 'filter[search]': 'south', per_page: '1000' })}`);
    expect(status).toBe(200);
    const reachableIds = new Set(visibility.visibleIds(role, entity));
    return expect(idsOf(body).filter((id) => !reachableIds.has(id))).toEqual([]);
  });

  test('filters along relations ignore rows out of scope', async () => {
    if (!mayList) return expect((await get(role, `${name}?${query({ 'filter[id]': '1' })}`)).status).toBe(403);
    for (const { relation, to } of relations) {
      const otherEntity = findEntity(to);
      const { status, body } = await get(
        role,
        `${name}?${query({
          [`filter[${relation}.id]`]: visibility.hiddenIds(role, otherEntity).slice(0, 50).join(',') || '999999',
          per_page: '1000',
        })}`,
      );
      if (isVisible(to)) expect([relation, status, idsOf(body)]).toEqual([relation, 200, []]);
      else expect([relation, status]).toEqual([relation, 400]);
    }
    return undefined;
  });

  test('sorting neither adds nor omits rows', async () => {
    if (!mayList) return expect((await get(role, `${name}?sort=id`)).status).toBe(403);
    const unsortable = ['refs', 'many', 'records', 'password', 'tags', 'json'];
    for (const [field, { kind }] of Object.entries(fields)) {
      const { status, body } = await get(role, `${name}?per_page=1000&sort=-${field}`);
      if (unsortable.includes(kind) || hiddenFields.includes(field)) expect([field, status]).toEqual([field, 400]);
      else expect([field, status, sortIds(idsOf(body))]).toEqual([field, 200, visibility.visibleIds(role, entity)]);
    }
    return undefined;
  });

  test('includes show and count only rows in scope', async () => {
    if (!mayList) return expect((await get(role, `${name}?include=x`)).status).toBe(403);
    for (const { relation, to, kind } of relations) {
      const countInclude = kind === 'ref' ? '' : `,${relation}Count`;
      const { status, body } = await get(role, `${name}?per_page=1000&include=${relation}${countInclude}`);
      if (!isVisible(to)) {
        expect([relation, status]).toEqual([relation, 400]);
        continue;
      }
      expect([relation, status]).toEqual([relation, 200]);
      const reachableIds = new Set(visibility.visibleIds(role, findEntity(to)));
      const unreadableTargetFields = unreadableFields(role, findEntity(to));
      for (const row of body.data) {
        const includedRows = [row[relation] ?? []].flat() as Item[];
        expect(includedRows.filter(({ id }) => !reachableIds.has(id))).toEqual([]);
        for (const item of includedRows) expect(unreadableTargetFields.filter((field) => field in item)).toEqual([]);
        if (countInclude) expect(row[`${relation}_count`]).toBe(includedRows.length);
      }
    }
    return undefined;
  });

  test('ids of links contain no row out of scope', async () => {
    if (!mayList) return expect((await get(role, name)).status).toBe(403);
    const { body } = await get(role, `${name}?per_page=1000`);
    for (const [field, { kind, to }] of Object.entries(fields)) {
      if (kind !== 'refs' || !to) continue;
      const reachableIds = new Set(visibility.visibleIds(role, findEntity(to)));
      expect(body.data.flatMap((row) => (row[field] as number[]).filter((id) => !reachableIds.has(id)))).toEqual([]);
    }
    return undefined;
  });

  test('hidden fields are rejected everywhere like unknown ones', async () => {
    if (!mayList) return expect((await get(role, name)).status).toBe(403);
    const { body } = await get(role, `${name}?per_page=1000`);
    const unreadable = [
      ...hiddenFields,
      ...Object.keys(fields).filter((field) => ['password', 'many'].includes(fields[field]?.kind ?? '')),
    ];
    for (const row of body.data) expect(unreadable.filter((field) => field in row)).toEqual([]);
    for (const field of hiddenFields) {
      for (const malformedQuery of [
        query({ [`filter[${field}]`]: '1' }),
        `sort=${field}`,
        query({ [`fields[${name}]`]: field }),
      ]) {
        const { status, body: rejection } = await get(role, `${name}?${malformedQuery}`);
        expect([malformedQuery, status]).toEqual([malformedQuery, 400]);
        expect(message(rejection).split('Allowed')[1]).not.toContain(field);
      }
      if (hasPermission(role, entity, 'export'))
        expect((await get(role, `${name}/export?columns=${field}`)).status).toBe(400);
    }
    return undefined;
  });

  test('export contains the rows of the list', async () => {
    const { status, text } = await app.call(world.users[role], 'GET', `${name}/export?format=csv&columns=id&sort=id`);
    if (!hasPermission(role, entity, 'export')) return expect(status).toBe(403);
    expect(status).toBe(200);
    const ids = text
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map(Number);
    return expect(ids).toEqual(visibility.visibleIds(role, entity));
  });
});

describe('without a session', () => {
  test.each(
    entities.filter((entity) => !isReadOnly(entity)).map((entity) => [entity.name, entity] as const),
  )('%s responds 401 to every call', async (name, entity) => {
    for (const [method, path] of [
      ['GET', name],
      ['GET', `${name}/1`],
      ['GET', `${name}/export`],
      ...(!isCreatable(entity) ? [] : ([['POST', name]] as const)),
      ['PUT', `${name}/1`],
      ['PATCH', `${name}/1`],
      ['DELETE', `${name}/1`],
      ['POST', `${name}/1/restore`],
      ['PUT', name],
      ['DELETE', name],
    ] as const) {
      const { status, body } = await app.call(undefined, method, path, method === 'GET' ? undefined : {});
      expect([method, path, status, body]).toEqual([method, path, 401, { message: 'Unauthenticated.' }]);
    }
  });
});
