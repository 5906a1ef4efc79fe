/**
 * Determines who sees which rows, for any number of callers with one statement: reads the deciding ids and compares
 * them in memory with each caller's links. Must agree with `scopeWhere`; a test enforces it.
 */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../schema/dsl/addToGroup';
import type { Scope } from '../../schema/dsl/entity';
import { column, notDeleted, table } from '../access/entityModel';
import { pathValuesSql } from '../access/relationPath';
import { hasGlobalScope, linkedIdsByPath } from '../access/scopeWhere';
import type { Caller } from '../context/caller';
import type { ModelEntity } from '../context/services';
import { runStatement, statementFor } from '../crud/query/statementCache';
import type { Queries } from '../db/core/database';
import { pg, type RowOf } from '../db/core/rowShape';

/** Rows by id, deleted or not, or all rows in a state that are not deleted. */
export type RowSelection = { ids: readonly number[] } | { state: string };

export interface RowScopes {
  /** Ids of the rows that the caller sees. */
  visibleTo(caller: Caller): ReadonlySet<number>;
}

/** Ids at the end of a path that grant access; `any`: every id does. */
type GrantingIds = ReadonlySet<number> | 'any';
type PathGrants = ReadonlyMap<string, GrantingIds>;

const noIds: ReadonlySet<number> = new Set();

/** Reads the deciding ids for these callers only. Callers with global scope also see purged rows if selected by id. */
export async function readRowScopes(
  db: Queries,
  entity: ModelEntity,
  { rows, callers }: { rows: RowSelection; callers: readonly Caller[] },
): Promise<RowScopes> {
  const limitedCallers = callers.filter((caller) => !hasGlobalScope(entity, caller));
  const isById = 'ids' in rows;
  if (isById && limitedCallers.length === 0) {
    const selectedIds = new Set(rows.ids);
    return { visibleTo: (caller) => (hasGlobalScope(entity, caller) ? selectedIds : noIds) };
  }
  const paths = pathsOf(entity);
  const grantsByCaller = new Map(limitedCallers.map((caller) => [caller, grantsOf(entity, caller)]));
  const statement = statementFor({
    model: entity.model,
    key: `row scopes ${entity.name} ${isById}`,
    build: () => scopesSql(entity, paths, isById),
  });
  const values = Object.fromEntries(
    paths.map((path, pathIndex) => [
      `p${pathIndex}`,
      limitOf([...grantsByCaller.values()].map((grants) => grants.get(path))),
    ]),
  );
  const rowsWithIds = await runStatement(db, scopesShape, statement, {
    ...values,
    rows: isById ? [...rows.ids] : rows.state,
  });
  const selectedIds = new Set(isById ? rows.ids : rowsWithIds.map(({ id }) => id));
  const index = paths.map((_, pathIndex) => indexBy(rowsWithIds, pathIndex));
  return {
    visibleTo: (caller) => {
      if (hasGlobalScope(entity, caller)) return selectedIds;
      const visible = new Set<number>();
      const grants = grantsByCaller.get(caller);
      for (const [pathIndex, path] of paths.entries()) {
        const grantingIds = grants?.get(path);
        if (!grantingIds) continue;
        for (const [value, ids] of index[pathIndex] ?? [])
          if (grantingIds === 'any' || grantingIds.has(value)) for (const id of ids) visible.add(id);
      }
      return visible;
    },
  };
}

/** Scope paths of an entity, in fixed order. None for `record` scope: such rows publish no events. */
function pathsOf({ scope }: ModelEntity): string[] {
  if (scope === 'shared') return ['user_id', 'client_id', 'role_id'];
  if (typeof scope === 'string') return [];
  const { country, client, site = [], machine = [], self }: Scope = scope;
  const places = [site, machine].flat().flatMap((paths) => [paths.machine, paths.fleet, paths.location]);
  const paths = [country, client, ...places, self];
  return [...new Set(paths.filter((path) => path !== undefined))];
}

/** Own rows and those shared with the caller's client or roles; with scope `all` everything that is shared. */
const grantsOfShared = ({ userId, links, roles, scopes }: Caller): PathGrants => {
  const isGlobal = scopes.has('all');
  return new Map<string, GrantingIds>([
    ['user_id', new Set([userId])],
    ['client_id', isGlobal ? 'any' : new Set(links.client === null ? [] : [links.client])],
    ['role_id', isGlobal ? 'any' : new Set(roles.map(({ id }) => id))],
  ]);
};

function grantsOf({ scope }: ModelEntity, caller: Caller): PathGrants {
  if (scope === 'shared') return grantsOfShared(caller);
  if (typeof scope === 'string') return new Map();
  return new Map(Object.entries(linkedIdsByPath(scope, caller)).map(([path, ids]) => [path, new Set(ids)]));
}

/** Ids at the end of a path that any caller has; the database need not return others. Null means all. */
function limitOf(grants: readonly (GrantingIds | undefined)[]): number[] | null {
  const ids = new Set<number>();
  for (const grantingIds of grants) {
    if (grantingIds === 'any') return null;
    for (const id of grantingIds ?? []) ids.add(id);
  }
  return [...ids];
}

function scopesSql(entity: ModelEntity, paths: readonly string[], isById: boolean): SQL {
  const row = sql.raw('m');
  const reachColumns = paths.map((path, pathIndex) => {
    const limit = sql`${sql.placeholder(`p${pathIndex}`)}::int[]`;
    const isAllowed = (value: SQL) => sql`${value} is not null and coalesce(${value} = any(${limit}), true)`;
    return sql`array(${pathValuesSql(entity, row, path.split('.'), isAllowed)})`;
  });
  const selectedRows = isById
    ? sql`m.id = any(${sql.placeholder('rows')}::int[])`
    : sql`${column(row, 'state')} = ${sql.placeholder('rows')}::text and ${notDeleted(row)}`;
  return sql`select m.id, json_build_array(${sql.join(reachColumns, sql`, `)}) as reached from ${table(entity)} m
    where ${selectedRows}`;
}

/** Per row, and by path in the order of `paths`: the ids that the path reaches. */
const scopesShape = { id: pg.integer, reached: pg.json<readonly (readonly number[])[]>() };

function indexBy(rows: readonly RowOf<typeof scopesShape>[], pathIndex: number): Map<number, number[]> {
  const index = new Map<number, number[]>();
  for (const { id, reached } of rows) for (const value of reached[pathIndex] ?? []) addToGroup(index, value, id);
  return index;
}
