/** Rules of declarations that the compiler cannot check: paths across relations, permission codes, order of roles. */
import { describe, expect, test } from 'vitest';
import { type Entity, isCreatable, type RoleName, roleNames } from '../../schema/dsl/entity';
import type { Field } from '../../schema/dsl/field';
import { textTests } from '../../schema/dsl/filterName';
import { isObject } from '../../schema/dsl/isObject';
import { codesOf, defaultPermissionsOf, entities, registry } from '../../schema/index';

const byName: Record<string, Entity> = registry;

/** Name of the relation of a field, as defined in docs/architecture.md. */
function relationOf(name: string, field: Field): string | undefined {
  if (field.kind === 'ref') return name.replace(/_id$/, '');
  if (field.kind === 'refs') return field.to;
  return field.kind === 'many' ? name : undefined;
}

/**
 * The field at the end of a path such as `fleet.client.country_id`; the step `.id` ends at the row itself. Throws if
 * the path is invalid.
 */
function fieldAt(entity: Entity, path: string): Field {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    const field = entity.fields[first];
    if (!field) throw new Error(`${entity.name} has no field ${first}`);
    return field;
  }
  const [, relation] = Object.entries(entity.fields).find(([name, field]) => relationOf(name, field) === first) ?? [];
  const next = relation?.to ? byName[relation.to] : undefined;
  if (!next) throw new Error(`${entity.name} has no relation ${first}`);
  return fieldAt(next, rest.join('.'));
}

test('every entity that a file declares is in the registry, under its own name', () => {
  const modules = import.meta.glob<Record<string, unknown>>('../../schema/entities/*.ts', { eager: true });
  const isEntity = (value: unknown): value is Entity => isObject(value) && 'fields' in value && 'grants' in value;
  const declaredNames = Object.values(modules)
    .flatMap((module) => Object.values(module).filter(isEntity))
    .map(({ name }) => name);
  expect(Object.keys(registry)).toEqual(entities.map(({ name }) => name));
  expect([...declaredNames, 'audit'].sort()).toEqual(Object.keys(registry).sort());
});

const withoutSign = (path: string) => path.replace(/^-/, '');

describe.each(entities.map((entity) => [entity.name, entity] as const))('%s', (_, entity) => {
  const { fields, buckets, list, form, scope, title, titles, imports } = entity;

  test('every path of lists, search and filters ends at a field', () => {
    const paths = [
      ...list.columns,
      ...list.hidden,
      list.sort,
      ...list.search,
      ...list.filters.filter((path) => !Object.hasOwn(buckets, path)),
    ];
    for (const path of paths) expect(() => fieldAt(entity, withoutSign(path))).not.toThrow();
  });

  test('facets are fields with few values or buckets, and bucket ranges increase from 0', () => {
    for (const name of list.facets)
      expect(['choice', 'boolean', 'ref', 'refs', 'tags', undefined]).toContain(
        buckets[name] ? undefined : fields[name]?.kind,
      );
    for (const [name, bucket] of Object.entries(buckets)) {
      expect(fields[name]).toBeUndefined();
      if (!('of' in bucket)) continue;
      expect(fields[bucket.of]?.kind).toBe('many');
      expect(bucket.from).toEqual([...bucket.from].sort((a, b) => a - b));
      expect(bucket.from[0]).toBe(0);
    }
  });

  test('no column is both shown and hidden, and each shown one has a value', () => {
    expect(list.columns.filter((column) => list.hidden.includes(column))).toEqual([]);
    for (const column of [...list.columns, ...list.hidden]) expect(fields[column]?.kind).not.toBe('password');
  });

  test('search fields are text fields', () => {
    for (const path of list.search)
      expect(['text', 'longtext', 'email', 'phone', 'tags']).toContain(fieldAt(entity, path).kind);
  });

  test('every scope path ends at the id that decides', () => {
    if (scope === 'global') return;
    if (scope === 'shared') {
      expect([fields.user_id?.to, fields.client_id?.to, fields.role_id?.to]).toEqual(['users', 'clients', 'roles']);
      return;
    }
    if (scope === 'record') {
      expect([fields.entity?.kind, fields.record_id?.kind]).toEqual(['text', 'integer']);
      return;
    }
    const target = {
      country: 'countries',
      client: 'clients',
      self: 'users',
      fleet: 'fleets',
      location: 'locations',
      machine: 'machines',
    };
    const { site = [], machine = [], ...direct } = scope;
    for (const [kind, path] of [direct, ...[site, machine].flat()].flatMap((paths) => Object.entries(paths))) {
      const field = fieldAt(entity, path);
      if (path === 'id' || path.endsWith('.id')) expect(field.kind).toBe('integer');
      // The path may also be a copy of the id, without a reference.
      else if (field.to === undefined) expect([field.kind, path]).toEqual(['integer', `own_${kind}_id`]);
      else expect(field.to).toBe(target[kind as keyof typeof target]);
    }
  });

  test('references and their reverse relations match', () => {
    for (const field of Object.values(fields)) {
      if (!field.to) continue;
      const to = byName[field.to];
      expect(to).toBeDefined();
      if (to && field.back) expect(() => fieldAt(to, field.back as string)).not.toThrow();
    }
  });

  test('a derived reference follows a relation to its target', () => {
    for (const [name, field] of Object.entries(fields))
      if (field.through) expect(fieldAt(entity, `${field.through}.${name}`).to).toBe(field.to);
  });

  test('no two relations have the same name', () => {
    const names = Object.entries(fields).flatMap(([name, field]) => relationOf(name, field) ?? []);
    expect(names).toEqual([...new Set(names)]);
  });

  test('no field has the name of a filter operator', () => {
    expect(Object.keys(entity.fields).filter((name) => ['not', ...textTests].includes(name))).toEqual([]);
  });

  test('the form contains each field only once, and only known and writable ones', () => {
    const formFields = Object.values(form).flat();
    expect(formFields).toEqual([...new Set(formFields)]);
    for (const name of formFields) expect(fields[name]?.write).not.toBe(false);
  });

  test('the form contains every field that clients of the API may write', () => {
    const writableNames = Object.keys(fields).filter((name) => fields[name]?.write !== false);
    expect(writableNames.filter((name) => !Object.values(form).flat().includes(name))).toEqual([]);
  });

  test('title fields are text fields, and importable fields can identify a row', () => {
    for (const name of isCreatable(entity) ? imports.match : []) expect(imports.columns).toContain(name);
    for (const name of [title, ...titles]) expect(['text', 'email']).toContain(fields[name]?.kind);
  });

  test('grants and permission codes of fields name existing actions', () => {
    const codes = codesOf(entity);
    for (const role of roleNames)
      for (const code of defaultPermissionsOf(role, [entity])) expect(codes).toContain(code);
    const allCodes = entities.flatMap(codesOf);
    for (const field of Object.values(fields))
      for (const code of [field.read, field.edit]) if (code) expect(allCodes).toContain(code);
  });

  test('roles that may show may list, and roles that may edit or delete may show', () => {
    for (const role of roleNames) {
      const grantedActions = defaultPermissionsOf(role, [entity]).map((code) => code.split('.')[1]);
      if (grantedActions.length > 0) expect(grantedActions).toEqual(expect.arrayContaining(['list', 'show']));
    }
  });

  test('bounds are in order and include defaults', () => {
    for (const field of Object.values(fields)) {
      if (field.min !== undefined && field.max !== undefined) expect(field.min).toBeLessThanOrEqual(field.max);
      if (field.choices && field.default !== undefined) expect(field.choices).toContain(field.default);
      if (typeof field.default === 'number' && field.min !== undefined)
        expect(field.default).toBeGreaterThanOrEqual(field.min);
    }
  });
});

describe('roles', () => {
  const pairs = roleNames
    .slice(1)
    .map((narrower, index): [RoleName, RoleName] => [narrower, roleNames[index] as RoleName]);

  test.each(pairs)('%s has no permission that %s lacks', (narrower, wider) => {
    const grantedCodes = defaultPermissionsOf(wider);
    expect(defaultPermissionsOf(narrower).filter((code) => !grantedCodes.includes(code))).toEqual([]);
  });

  test('Admins have every permission except importing documents, which are uploaded as files', () => {
    expect(defaultPermissionsOf('admin').sort()).toEqual(
      entities
        .flatMap(codesOf)
        .filter((code) => code !== 'documents.import')
        .sort(),
    );
  });

  test('names and aliases of entities are unique', () => {
    const names = entities.flatMap(({ name, alias }) => [name, ...alias]);
    expect(names).toEqual([...new Set(names)]);
  });
});
