/** The only place that decides who sees which rows (domain: "People who use it"). Closed by default: no path, no row. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity, Scope, Sites } from '../../schema/dsl/entity';
import type { Queries } from '../db/database';
import { whereAlong } from './along';
import { type Caller, holds } from './caller';
import { Refusal } from './errors';
import { column, knownEntities, living, Sketch, table } from './model';

/** Whether the caller sees every row of the entity. */
export const unlimited = ({ scope }: Entity, caller: Caller): boolean => scope === 'global' || (scope !== 'record' && caller.scopes.has('all'));

/** The rows within the caller's scope, as a condition on the alias `row`. Living and trashed rows alike. */
export function within(entity: Entity, caller: Caller, row: SQL, sketch = new Sketch('w')): SQL {
  if (entity.scope === 'record') return aboutVisible(caller, row, sketch);
  if (unlimited(entity, caller)) return sql`true`;
  const along = (path: string, ids: readonly number[]) =>
    ids.length === 0 ? [] : [whereAlong(entity, row, path.split('.'), (value) => sql`${value} = any(${sql.param([...ids])}::int[])`, { sketch, caller })];
  const reached = Object.entries(reachOf(entity.scope as Scope, caller)).flatMap(([path, ids]) => along(path, ids));
  return reached.length === 0 ? sql`false` : sql`(${sql.join(reached, sql` or `)})`;
}

/** Rows about rows that the caller sees. What is no more, not even in the bin, is left to those whom nothing limits. */
function aboutVisible(caller: Caller, row: SQL, sketch: Sketch): SQL {
  const seen = knownEntities().filter(({ name, scope }) => scope !== 'record' && holds(caller, `${name}.show`));
  const whole = seen.filter((entity) => unlimited(entity, caller)).map(({ name }) => name);
  const parts = seen
    .filter((entity) => !unlimited(entity, caller))
    .map((entity) => {
      const to = sketch.alias();
      sketch.reads(entity.name);
      const ids = sql`select ${to}.id from ${table(entity)} ${to} where ${within(entity, caller, to, sketch)}`;
      return sql`(${column(row, 'entity')} = ${entity.name} and ${column(row, 'record_id')} in (${ids}))`;
    });
  return sql`(${sql.join([sql`${column(row, 'entity')} = any(${sql.param(whole)}::text[])`, ...parts], sql` or `)})`;
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

/** Which of the ids are living rows within the caller's scope; of the bin when `trashed`. */
export async function visibleIds(db: Queries, entity: Entity, caller: Caller, ids: readonly number[], trashed = false): Promise<number[]> {
  if (ids.length === 0) return [];
  const row = sql.raw('m');
  const rows = await db.rows<{ id: number }>(
    sql`select m.id from ${table(entity)} m where m.id = any(${sql.param([...ids])}::int[]) and ${trashed ? sql`${column(row, 'deleted_at')} is not null` : living(row)} and ${within(entity, caller, row)}`,
  );
  return rows.map(({ id }) => id);
}
