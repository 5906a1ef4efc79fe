/**
 * The only place that decides who sees which rows (domain: "People who use it"). Closed by default: no path, no row.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { EntityName } from '../../schema';
import type { Entity, Scope, SitePaths } from '../../schema/dsl/entity';
import type { ScopeKind } from '../../schema/shared/roles';
import { type Caller, hasPermission } from '../context/caller';
import { ApiError } from '../context/errors';
import type { Queries } from '../db/core/database';
import { column, notDeleted, QueryContext, registeredEntities, table } from './entityModel';
import { wherePath } from './relationPath';

/** Whether the caller sees every row of the entity. */
export const hasGlobalScope = ({ scope }: Entity, caller: Caller): boolean =>
  scope === 'global' || (scope !== 'record' && scope !== 'shared' && caller.scopes.has('all'));

/**
 * The rows within the caller's scope, as a condition on the alias `row`. Living and trashed rows alike, unless only
 * living ones are asked for beside it.
 */
export function scopeWhere(
  entity: Entity,
  caller: Caller,
  row: SQL,
  sketch = new QueryContext('w'),
  isLiving = false,
): SQL {
  if (entity.scope === 'record') return aboutVisible(caller, row, sketch);
  if (entity.scope === 'shared') return sharedWith(caller, row);
  if (hasGlobalScope(entity, caller)) return sql`true`;
  const along = (path: string, ids: readonly number[]) =>
    ids.length === 0
      ? []
      : [
          wherePath(entity, row, path.split('.'), (value) => sql`${value} = any(${sql.param([...ids])}::int[])`, {
            sketch,
            caller,
            living: isLiving,
          }),
        ];
  const reached = Object.entries(reachOf(entity.scope as Scope, caller)).flatMap(([path, ids]) => along(path, ids));
  return reached.length === 0 ? sql`false` : sql`(${sql.join(reached, sql` or `)})`;
}

/** Rows about rows that the caller sees. What is no more, not even in the bin, is left to those whom nothing limits. */
function aboutVisible(caller: Caller, row: SQL, sketch: QueryContext): SQL {
  const seen = registeredEntities().filter(
    ({ name, scope }) => scope !== 'record' && hasPermission(caller, `${name}.show`),
  );
  const whole = seen.filter((entity) => hasGlobalScope(entity, caller)).map(({ name }) => name);
  const parts = seen
    .filter((entity) => !hasGlobalScope(entity, caller))
    .map((entity) => {
      const to = sketch.alias();
      sketch.reads(entity.name);
      const ids = sql`select ${to}.id from ${table(entity)} ${to} where ${scopeWhere(entity, caller, to, sketch)}`;
      const gone = entity.scope === 'shared' ? sql` or ${goneAndOwn(entity, caller, row)}` : sql``;
      return sql`(${column(row, 'entity')} = ${entity.name} and (${column(row, 'record_id')} in (${ids})${gone}))`;
    });
  return sql`(${sql.join([sql`${column(row, 'entity')} = any(${sql.param(whole)}::text[])`, ...parts], sql` or `)})`;
}

/** Notes about a row that was shared once and is no more: for whoever made it, and for those whom nothing limits. */
function goneAndOwn(entity: Entity, { scopes, userId }: Caller, row: SQL): SQL {
  const gone = sql`not exists (select from ${table(entity)} gone where gone.id = ${column(row, 'record_id')})`;
  if (scopes.has('all')) return gone;
  return sql`(${gone} and exists (select from audit made where made.entity = ${entity.name}
    and made.record_id = ${column(row, 'record_id')}
    and made.action = 'create' and made.user_id = ${userId}::int))`;
}

/**
 * Rows of one's own and those shared with one's client or one of one's roles; whom nothing limits sees everything that
 * is shared.
 */
function sharedWith({ userId, links, roles, scopes }: Caller, row: SQL): SQL {
  const [client, role] = [column(row, 'client_id'), column(row, 'role_id')];
  const ofClient = scopes.has('all') ? sql`${client} is not null` : sql`${client} = ${links.client}::int`;
  const ofRole = scopes.has('all')
    ? sql`${role} is not null`
    : sql`${role} = any(${sql.param(roles.map(({ id }) => id))}::int[])`;
  return sql`(${column(row, 'user_id')} = ${userId}::int or ${ofClient} or ${ofRole})`;
}

/** Paths of the entity that lead to ids the caller is linked with; several roles add up. */
export function reachOf(scope: Scope, caller: Caller): Record<string, readonly number[]> {
  const reach: Record<string, number[]> = {};
  for (const { path, ids } of scopePathsOf(scope, caller))
    reach[path] = [...new Set([...(reach[path] ?? []), ...ids])].sort((a, b) => a - b);
  return reach;
}

/**
 * One way to a row: the kind of role that opens it (`self`: none is needed), the path to the id that decides, and the
 * ids that the caller is linked with.
 */
export interface ScopePath {
  kind: Exclude<ScopeKind, 'all'> | 'self';
  path: string;
  /** The entity of the ids. */
  to: EntityName;
  ids: readonly number[];
}

/** Every way that the links and kinds of role of a caller open. */
export function scopePathsOf(
  scope: Scope,
  { scopes, links, userId }: Pick<Caller, 'scopes' | 'links' | 'userId'>,
): ScopePath[] {
  const own = links.client === null ? [] : [links.client];
  const sites = (
    kind: 'site' | 'machine',
    { fleet, location, machine }: SitePaths = {},
  ): (Omit<ScopePath, 'path'> & { path?: string })[] => [
    { kind, path: fleet, to: 'fleets', ids: links.fleets },
    { kind, path: location, to: 'locations', ids: links.locations },
    { kind, path: machine, to: 'machines', ids: links.machines },
  ];
  const all: (Omit<ScopePath, 'path'> & { path?: string })[] = [
    { kind: 'country', path: scope.country, to: 'countries', ids: links.countries },
    { kind: 'partner', path: scope.client, to: 'clients', ids: [...own, ...links.clients] },
    { kind: 'client', path: scope.client, to: 'clients', ids: own },
    ...sites('site', scope.site),
    ...sites('machine', scope.machine),
    { kind: 'self', path: scope.self, to: 'users', ids: [userId] },
  ];
  return all.filter((way): way is ScopePath => way.path !== undefined && (way.kind === 'self' || scopes.has(way.kind)));
}

/** Refuses with 404 what does not exist for the caller. */
export async function assertVisible(db: Queries, entity: Entity, caller: Caller, id: number): Promise<void> {
  const [found] = await visibleIds(db, entity, caller, [id]);
  if (found === undefined) throw ApiError.notFound();
}

/** Which of the ids are living rows within the caller's scope; of the bin when `trashed`. */
export async function visibleIds(
  db: Queries,
  entity: Entity,
  caller: Caller,
  ids: readonly number[],
  trashed = false,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const row = sql.raw('m');
  const rows = await db.rows<{ id: number }>(
    sql`select m.id from ${table(entity)} m where m.id = any(${sql.param([...ids])}::int[])
      and ${trashed ? sql`${column(row, 'deleted_at')} is not null` : notDeleted(row)}
      and ${scopeWhere(entity, caller, row)}`,
  );
  return rows.map(({ id }) => id);
}
