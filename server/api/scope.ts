/** The only place that decides who sees which rows (domain: "People who use it"). Closed by default: no path, no row. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity, Scope, Sites } from '../../schema/dsl/entity';
import type { Queries } from '../db/database';
import { whereAlong } from './along';
import type { Caller } from './caller';
import { Refusal } from './errors';
import { living, Sketch, table } from './model';

/** Whether the caller sees every row of the entity. */
export const unlimited = (entity: Entity, caller: Caller): boolean => entity.scope === 'global' || caller.scopes.has('all');

/** The rows within the caller's scope, as a condition on the alias `row`. Living and trashed rows alike. */
export function within(entity: Entity, caller: Caller, row: SQL, sketch = new Sketch('w')): SQL {
  if (unlimited(entity, caller)) return sql`true`;
  const along = (path: string, ids: readonly number[]) =>
    ids.length === 0 ? [] : [whereAlong(entity, row, path.split('.'), (value) => sql`${value} = any(${sql.param([...ids])}::int[])`, { sketch, caller })];
  const reached = Object.entries(reachOf(entity.scope as Scope, caller)).flatMap(([path, ids]) => along(path, ids));
  return reached.length === 0 ? sql`false` : sql`(${sql.join(reached, sql` or `)})`;
}

/** Paths of the entity that lead to ids the caller is linked with; several roles add up. */
function reachOf(scope: Scope, { scopes, links, userId }: Caller): Record<string, readonly number[]> {
  const own = links.client === null ? [] : [links.client];
  const reach: Record<string, number[]> = {};
  const add = (path: string | undefined, ids: readonly number[]) => {
    if (path) reach[path] = [...new Set([...(reach[path] ?? []), ...ids])].sort((a, b) => a - b);
  };
  const addSites = (sites: Sites | undefined) => {
    add(sites?.fleet, links.fleets);
    add(sites?.location, links.locations);
    add(sites?.machine, links.machines);
  };
  if (scopes.has('country')) add(scope.country, links.countries);
  if (scopes.has('partner')) add(scope.client, [...own, ...links.clients]);
  if (scopes.has('client')) add(scope.client, own);
  if (scopes.has('site')) addSites(scope.site);
  if (scopes.has('machine')) addSites(scope.machine);
  add(scope.self, [userId]);
  return reach;
}

/** Refuses with 404 what does not exist for the caller. */
export async function visible(db: Queries, entity: Entity, caller: Caller, id: number): Promise<void> {
  const [found] = await visibleIds(db, entity, caller, [id]);
  if (found === undefined) throw Refusal.notFound();
}

/** Which of the ids are living rows within the caller's scope. */
export async function visibleIds(db: Queries, entity: Entity, caller: Caller, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const row = sql.raw('m');
  const rows = await db.rows<{ id: number }>(
    sql`select m.id from ${table(entity)} m where m.id = any(${sql.param([...ids])}::int[]) and ${living(row)} and ${within(entity, caller, row)}`,
  );
  return rows.map(({ id }) => id);
}
