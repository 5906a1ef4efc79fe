/**
 * `GET /search?q=`: a few rows of every entity within the caller's scope, found in the same way as in the entity's
 * list.
 */
import { sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { hintRelations, hintsOf, isSearched, maxRowsPerEntity, minSearchLength } from '../../../schema/features/search';
import { type Caller, hasPermission } from '../../context/caller';
import type { ModelEntity, Routes } from '../../context/services';
import { readableFields } from '../../crud/query/fields';
import { mayFollowRelation } from '../../crud/query/filterNames';
import { resolveSearches } from '../../crud/query/resolveSearch';
import { pageSql, type SelectRequest } from '../../crud/query/selectStatements';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { queryStringOf } from '../../http/http';

const rowsShape = { rows: pg.text };

/** Statements of one search that run side by side. */
const maxStatements = 4;

export const searchRoutes: Routes = async (app) => {
  serve(app, 'GET /search', async ({ services: { db, model } }, request) => {
    const { caller } = request;
    const searchText = new URLSearchParams(queryStringOf(request)).get('q') ?? '';
    const searchable = model.entities.filter(
      (entity) =>
        isSearched(entity) &&
        hasPermission(caller, `${entity.name}.list`) &&
        hasPermission(caller, `${entity.name}.show`),
    );
    if (searchText.trim().length < minSearchLength || searchable.length === 0) return { data: [] };
    const requests = await resolveSearches(
      db,
      searchable.map((entity) => firstRowsOf(entity, caller, searchText)),
      { stopsEarly: true },
    );
    const rowsOf = new Map<string, string>();
    // Concurrent loops share one generator: each takes the next entity when it is done, because a few entities with
    // many rows take most of the time. A failed statement closes the generator, which ends all loops.
    const remaining = (function* () {
      yield* requests;
    })();
    const searchRemaining = async () => {
      for (const entityRequest of remaining) {
        const row = await db.selectOne(rowsShape, sql`select (${pageSql(entityRequest)}) as rows`);
        if (row && row.rows !== '[]') rowsOf.set(entityRequest.entity.name, row.rows);
      }
    };
    await Promise.all(Array.from({ length: maxStatements }, searchRemaining));
    const results = searchable
      .filter(({ name }) => rowsOf.has(name))
      .map(({ name }) => `{"resource":"${name}","rows":${rowsOf.get(name)}}`);
    return new JsonText(`{"data":[${results.join(',')}]}`);
  });
};

/** Request of the first rows, with titles and distinguishing fields that the caller may read. */
function firstRowsOf(entity: ModelEntity, caller: Caller, searchText: string): SelectRequest {
  const readable = readableFields(entity, caller);
  const relations = entity.relations;
  const include = hintRelations(entity).filter((name) => {
    const relation = relations.get(name);
    return relation !== undefined && mayFollowRelation(relation, caller);
  });
  const titles = include.map((name) => {
    const { target } = relations.get(name) as { target: ModelEntity };
    return [target.name, ['id', ...target.titles]] as [string, string[]];
  });
  const columns = [...new Set(['id', entity.title, ...entity.titles, ...hintsOf(entity)])].filter((name) =>
    readable.includes(name),
  );
  const query = {
    ...parseListQuery(''),
    per_page: maxRowsPerEntity,
    filter: [{ path: 'search', values: [searchText] }],
    include,
    fields: { ...Object.fromEntries(titles), [entity.name]: columns },
  };
  return { entity, caller, query };
}
