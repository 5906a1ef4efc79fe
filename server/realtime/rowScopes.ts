/**
 * Who sees which of some rows, for any number of callers by one statement: it reads the ids that decide, and they are
 * compared in memory with what each caller is linked with. The same judgement as `within` of `scope.ts`; a test holds
 * the two together.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../schema/dsl/entity';
import { column, notDeleted, table } from '../access/entityModel';
import { valuesAlong } from '../access/relationPath';
import { hasGlobalScope, reachOf } from '../access/scope';
import type { Caller } from '../context/caller';
import type { ModelEntity } from '../context/services';
import { run, statementFor } from '../crud/query/statementCache';
import type { Queries } from '../db/core/database';

/** Rows by id, living or in the bin, or every living row in a state. */
export type RowSelection = { ids: readonly number[] } | { state: string };

export interface RowScopes {
  /** The ids of those rows that the caller sees. */
  visibleTo(caller: Caller): ReadonlySet<number>;
}

/** Ids that open a path: `any`, whatever it leads to. */
type OpeningIds = ReadonlySet<number> | 'any';
type Opening = ReadonlyMap<string, OpeningIds>;

const none: ReadonlySet<number> = new Set();

/**
 * Reads what decides about the rows, for these callers and no others. Whom nothing limits sees rows that are gone for
 * good, too, when they are named by id.
 */
export async function readRowScopes(
  db: Queries,
  entity: ModelEntity,
  { rows, callers }: { rows: RowSelection; callers: readonly Caller[] },
): Promise<RowScopes> {
  const limited = callers.filter((caller) => !hasGlobalScope(entity, caller));
  const isNamed = 'ids' in rows;
  if (isNamed && limited.length === 0) {
    const named = new Set(rows.ids);
    return { visibleTo: (caller) => (hasGlobalScope(entity, caller) ? named : none) };
  }
  const paths = pathsOf(entity);
  const openings = new Map(limited.map((caller) => [caller, openingOf(entity, caller)]));
  const statement = statementFor({
    model: entity.model,
    key: `row scopes ${entity.name} ${isNamed}`,
    build: () => scopesSql(entity, paths, isNamed),
  });
  const values = Object.fromEntries(
    paths.map((path, nth) => [`p${nth}`, limitOf([...openings.values()].map((opening) => opening.get(path)))]),
  );
  const found = await run<{ id: number; reached: number[][] }>(db, statement, {
    ...values,
    rows: isNamed ? [...rows.ids] : rows.state,
  });
  const all = new Set(isNamed ? rows.ids : found.map(({ id }) => id));
  const index = paths.map((_, nth) => indexBy(found, nth));
  return {
    visibleTo: (caller) => {
      if (hasGlobalScope(entity, caller)) return all;
      const visible = new Set<number>();
      const opening = openings.get(caller);
      for (const [nth, path] of paths.entries()) {
        const opens = opening?.get(path);
        if (!opens) continue;
        for (const [value, ids] of index[nth] ?? [])
          if (opens === 'any' || opens.has(value)) for (const id of ids) visible.add(id);
      }
      return visible;
    },
  };
}

/**
 * Every path that may open a row to somebody, always in the same order. A row of `record` scope is opened by none: such
 * rows are never judged here.
 */
function pathsOf({ scope }: ModelEntity): string[] {
  if (scope === 'shared') return ['user_id', 'client_id', 'role_id'];
  if (typeof scope === 'string') return [];
  const { country, client, site = {}, machine = {}, self }: Scope = scope;
  const paths = [country, client, site.fleet, site.location, machine.machine, machine.fleet, machine.location, self];
  return [...new Set(paths.filter((path) => path !== undefined))];
}

/**
 * Rows of one's own and those shared with one's client or roles; what is shared with anybody, for whom nothing limits.
 */
const openingOfShared = ({ userId, links, roles, scopes }: Caller): Opening => {
  const isWhole = scopes.has('all');
  return new Map<string, OpeningIds>([
    ['user_id', new Set([userId])],
    ['client_id', isWhole ? 'any' : new Set(links.client === null ? [] : [links.client])],
    ['role_id', isWhole ? 'any' : new Set(roles.map(({ id }) => id))],
  ]);
};

function openingOf({ scope }: ModelEntity, caller: Caller): Opening {
  if (scope === 'shared') return openingOfShared(caller);
  if (typeof scope === 'string') return new Map();
  return new Map(Object.entries(reachOf(scope, caller)).map(([path, ids]) => [path, new Set(ids)]));
}

/**
 * The ids that matter on a path: what opens it to none of the callers need not leave the database. Null when all do.
 */
function limitOf(opening: readonly (OpeningIds | undefined)[]): number[] | null {
  const ids = new Set<number>();
  for (const opens of opening) {
    if (opens === 'any') return null;
    for (const id of opens ?? []) ids.add(id);
  }
  return [...ids];
}

function scopesSql(entity: ModelEntity, paths: readonly string[], isNamed: boolean): SQL {
  const row = sql.raw('m');
  const reached = paths.map((path, nth) => {
    const limit = sql`${sql.placeholder(`p${nth}`)}::int[]`;
    return sql`array(${valuesAlong(entity, row, path.split('.'), (value) => sql`${value} is not null and coalesce(${value} = any(${limit}), true)`)})`;
  });
  const selected = isNamed
    ? sql`m.id = any(${sql.placeholder('rows')}::int[])`
    : sql`${column(row, 'state')} = ${sql.placeholder('rows')}::text and ${notDeleted(row)}`;
  return sql`select m.id, json_build_array(${sql.join(reached, sql`, `)}) as reached from ${table(entity)} m
    where ${selected}`;
}

function indexBy(
  rows: readonly { id: number; reached: readonly (readonly number[])[] }[],
  nth: number,
): Map<number, number[]> {
  const index = new Map<number, number[]>();
  for (const { id, reached } of rows)
    for (const value of reached[nth] ?? []) {
      const ids = index.get(value);
      if (ids) ids.push(id);
      else index.set(value, [id]);
    }
  return index;
}
