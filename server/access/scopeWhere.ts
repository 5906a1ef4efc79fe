/**
 * Decides who sees which rows; no other module does. Closed by default: an entity without a scope path shows no rows.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { EntityName } from '../../schema';
import type { Scope } from '../../schema/dsl/entity';
import type { ScopeKind } from '../../schema/shared/roles';
import { type Caller, hasPermission } from '../context/caller';
import { ApiError } from '../context/errors';
import type { ModelEntity } from '../context/services';
import type { Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';
import { column, notDeleted, QueryContext, table } from './entityModel';
import { pathWhere } from './relationPath';

/** Whether the caller sees every row of the entity. */
export const hasGlobalScope = ({ scope }: ModelEntity, caller: Caller): boolean =>
  scope === 'global' || (scope !== 'record' && scope !== 'shared' && caller.scopes.has('all'));

/** A row that the query already joins; conditions on scope paths through this row need no subselect. */
export interface OwnerRow {
  entity: ModelEntity;
  row: SQL;
  pathToOwner: readonly string[];
}

/** SQL condition: `row` is within the caller's scope. Includes soft-deleted rows unless `excludeDeleted`. */
export function scopeWhere(
  entity: ModelEntity,
  caller: Caller,
  row: SQL,
  context = new QueryContext('w'),
  excludeDeleted = false,
  owner?: OwnerRow,
): SQL {
  if (entity.scope === 'record') return visibleRecordWhere(entity, caller, row, context);
  if (entity.scope === 'shared') return sharedWhere(caller, row);
  if (hasGlobalScope(entity, caller)) return sql`true`;
  const scopePathWheres = (path: string, ids: readonly number[]): SQL[] => {
    if (ids.length === 0) return [];
    const [steps, pathOptions] = [path.split('.'), { context, caller, excludeDeleted }];
    const test = (value: SQL) => oneOfWhere(value, ids);
    const remainingSteps = owner && stepsBeyond(entity, owner.pathToOwner, steps);
    if (!owner || !remainingSteps) return [pathWhere(entity, row, steps, test, pathOptions)];
    if (remainingSteps.length === 0) return [test(sql`${owner.row}.id`)];
    const where = pathWhere(owner.entity, owner.row, remainingSteps, test, pathOptions);
    return [excludeDeleted ? sql`(${where} and ${notDeleted(owner.row)})` : where];
  };
  const conditions = Object.entries(linkedIdsByPath(entity.scope as Scope, caller)).flatMap(([path, ids]) =>
    scopePathWheres(path, ids),
  );
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/**
 * Returns the steps of a path beyond the row that `pathToOwner` leads to; none if both paths are the same. `undefined`
 * if the path does not continue from that row, or if `pathToOwner` may lead to several rows.
 */
function stepsBeyond(
  entity: ModelEntity,
  pathToOwner: readonly string[],
  steps: readonly string[],
): readonly string[] | undefined {
  let current = entity;
  for (const [index, step] of pathToOwner.entries()) {
    const isLast = index === pathToOwner.length - 1;
    const relation = isLast
      ? [...current.relations.values()].find(({ fieldName }) => fieldName === step)
      : current.relations.get(step);
    if (!relation?.isToOne || relation.field.through) return undefined;
    if (isLast && steps.length === pathToOwner.length && steps[index] === step) return [];
    if (steps[index] !== relation.name) return undefined;
    current = relation.target;
  }
  const remainingSteps = steps.slice(pathToOwner.length);
  // A path that ends at `id` reads the reference column itself, whether the referenced row is deleted or not.
  return remainingSteps.length === 0 || remainingSteps.join('.') === 'id' ? undefined : remainingSteps;
}

/** Maximum number of ids that get a parameter each. */
const maxIdParameters = 20;

/**
 * SQL condition: `value` is one of `ids`. Few ids get a parameter each: for an array of unknown length PostgreSQL
 * assumes ten elements, considers the generic plan too expensive and replans every execution, which costs as much as
 * reading a page of rows.
 */
const oneOfWhere = (value: SQL, ids: readonly number[]): SQL =>
  ids.length > maxIdParameters
    ? sql`${value} = any(${sql.param([...ids])}::int[])`
    : sql`${value} in (${sql.join(
        ids.map((id) => sql`${id}::int`),
        sql`, `,
      )})`;

/**
 * SQL condition: an audit entry is about a visible row. Entries about purged rows need global scope, except for shared
 * rows.
 */
function visibleRecordWhere({ model }: ModelEntity, caller: Caller, row: SQL, context: QueryContext): SQL {
  const visibleEntities = model.entities.filter(
    ({ name, scope }) => scope !== 'record' && hasPermission(caller, `${name}.show`),
  );
  const globalNames = visibleEntities.filter((entity) => hasGlobalScope(entity, caller)).map(({ name }) => name);
  const scopedWheres = visibleEntities
    .filter((entity) => !hasGlobalScope(entity, caller))
    .map((entity) => {
      const to = context.alias();
      context.reads(entity.name);
      const ids = sql`select ${to}.id from ${table(entity)} ${to} where ${scopeWhere(entity, caller, to, context)}`;
      const orPurged = entity.scope === 'shared' ? sql` or ${ownPurgedWhere(entity, caller, row)}` : sql``;
      return sql`(${column(row, 'entity')} = ${entity.name} and (${column(row, 'record_id')} in (${ids})${orPurged}))`;
    });
  const isGlobalSql = sql`${column(row, 'entity')} = any(${sql.param(globalNames)}::text[])`;
  return sql`(${sql.join([isGlobalSql, ...scopedWheres], sql` or `)})`;
}

/**
 * SQL condition: an audit entry is about a purged shared row, which its creator and callers with scope `all` may see.
 */
function ownPurgedWhere(entity: ModelEntity, { scopes, userId }: Caller, row: SQL): SQL {
  const isPurgedSql = sql`not exists (
    select from ${table(entity)} purged where purged.id = ${column(row, 'record_id')})`;
  if (scopes.has('all')) return isPurgedSql;
  return sql`(${isPurgedSql} and exists (select from audit creation where creation.entity = ${entity.name}
    and creation.record_id = ${column(row, 'record_id')}
    and creation.action = 'create' and creation.user_id = ${userId}::int))`;
}

/**
 * SQL condition: the caller owns the row, or it is shared with the caller's client or with one of the caller's roles.
 * Callers with scope `all` see everything that is shared.
 */
function sharedWhere({ userId, links, roles, scopes }: Caller, row: SQL): SQL {
  const [client, role] = [column(row, 'client_id'), column(row, 'role_id')];
  const ofClientWhere = scopes.has('all') ? sql`${client} is not null` : sql`${client} = ${links.client}::int`;
  const ofRoleWhere = scopes.has('all')
    ? sql`${role} is not null`
    : sql`${role} = any(${sql.param(roles.map(({ id }) => id))}::int[])`;
  return sql`(${column(row, 'user_id')} = ${userId}::int or ${ofClientWhere} or ${ofRoleWhere})`;
}

/** Ids that the caller is linked to, by scope path; the union over all roles. */
export function linkedIdsByPath(scope: Scope, caller: Caller): Record<string, readonly number[]> {
  const idsByPath: Record<string, number[]> = {};
  for (const { path, ids } of scopePathsOf(scope, caller))
    idsByPath[path] = [...new Set([...(idsByPath[path] ?? []), ...ids])].sort((a, b) => a - b);
  return idsByPath;
}

/**
 * One scope path: the scope kind that grants it (`self` needs none), the path from a row to the deciding id, and the
 * ids that the caller is linked to.
 */
export interface ScopePath {
  kind: Exclude<ScopeKind, 'all'> | 'self';
  path: string;
  /** Entity of the ids. */
  to: EntityName;
  ids: readonly number[];
}

/** All scope paths that the caller's links and roles grant. */
export function scopePathsOf(
  scope: Scope,
  { scopes, links, userId }: Pick<Caller, 'scopes' | 'links' | 'userId'>,
): ScopePath[] {
  const ownClient = links.client === null ? [] : [links.client];
  const sites = (
    kind: 'site' | 'machine',
    paths: Scope['site'] = [],
  ): (Omit<ScopePath, 'path'> & { path?: string })[] =>
    [paths].flat().flatMap(({ fleet, location, machine }) => [
      { kind, path: fleet, to: 'fleets', ids: links.fleets },
      { kind, path: location, to: 'locations', ids: links.locations },
      { kind, path: machine, to: 'machines', ids: links.machines },
    ]);
  const candidates: (Omit<ScopePath, 'path'> & { path?: string })[] = [
    { kind: 'country', path: scope.country, to: 'countries', ids: links.countries },
    { kind: 'partner', path: scope.client, to: 'clients', ids: [...ownClient, ...links.clients] },
    { kind: 'client', path: scope.client, to: 'clients', ids: ownClient },
    ...sites('site', scope.site),
    ...sites('machine', scope.machine),
    { kind: 'self', path: scope.self, to: 'users', ids: [userId] },
  ];
  return candidates.filter(
    (candidate): candidate is ScopePath =>
      candidate.path !== undefined && (candidate.kind === 'self' || scopes.has(candidate.kind)),
  );
}

/** Throws 404 unless the row is visible to the caller. */
export async function requireVisible(db: Queries, entity: ModelEntity, caller: Caller, id: number): Promise<void> {
  const [visibleId] = await visibleIds(db, entity, caller, [id]);
  if (visibleId === undefined) throw ApiError.notFound();
}

/** Returns the visible rows among `ids`, in any order: rows that are not deleted; with `isTrashed`, rows in the bin. */
export async function visibleIds(
  db: Queries,
  entity: ModelEntity,
  caller: Caller,
  ids: readonly number[],
  isTrashed = false,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const row = sql.raw('m');
  const rows = await db.select(
    { id: pg.integer },
    sql`select m.id from ${table(entity)} m where m.id = any(${sql.param([...ids])}::int[])
      and ${isTrashed ? sql`${column(row, 'deleted_at')} is not null` : notDeleted(row)}
      and ${scopeWhere(entity, caller, row)}`,
  );
  return rows.map(({ id }) => id);
}
