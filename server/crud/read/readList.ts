/** Responses of `GET /{r}` and `GET /{r}/{id}`. */
import { type SQL, sql } from 'drizzle-orm';
import { type ListQuery, parseListQuery } from '../../../schema/dsl/listQuery';
import { accessVersionSql } from '../../auth/loadCaller';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import type { Statement } from '../../db/core/statement';
import { includesLists, requireIncludeLimit } from '../query/includeLimit';
import { rowSql } from '../query/selectStatements';
import { callerKey, runStatement, statementFor } from '../query/statementCache';
import { readPageWithTotal } from './readPageWithTotal';

export interface ListRequest {
  /** Query string without `?`. */
  search: string;
  /** URL of the list without query, for `meta.path` and the links. */
  path: string;
  /** Further condition on the alias `m`. */
  extraWhere?: SQL;
}

/** Body of a list as JSON text: `{data, links, meta, current_page, last_page, per_page, total}`. */
export const readList = async (
  services: Services,
  entity: ModelEntity,
  caller: Caller,
  request: ListRequest,
): Promise<string> => (await readListPage(services, entity, caller, request)).body.toString();

/** Like `readList`, as UTF-8 bytes with the access version of its snapshot, for `withOptimisticAuth`. */
export async function readListPage(
  services: Services,
  entity: ModelEntity,
  caller: Caller,
  { search, path, extraWhere }: ListRequest,
): Promise<{ body: Buffer; access: number }> {
  const { data, total, query, access } = await readListRows(services, entity, caller, { search, extraWhere });
  const end = `,${printPagination(query, total, { search, path })}}`;
  return { body: Buffer.concat([Buffer.from('{"data":'), data, Buffer.from(end)]), access };
}

export interface ListRowsResult {
  /** Rows of the page as JSON array text, in UTF-8. */
  data: Buffer;
  /** Number of rows on all pages. */
  total: number;
  query: ListQuery;
  /** Access version of the same snapshot. */
  access: number;
}

/** One page of a list without the surrounding body. */
export async function readListRows(
  services: Services,
  entity: ModelEntity,
  caller: Caller,
  { search, extraWhere }: Omit<ListRequest, 'path'>,
): Promise<ListRowsResult> {
  requirePermission(caller, `${entity.name}.list`);
  const query = queryOf(entity, search);
  const select = { entity, caller, query, extraWhere };
  return { ...(await readPageWithTotal(services.db, select)), query };
}

/** Parses the query; sparse fields may name the entity by its alias. */
function queryOf(entity: ModelEntity, search: string): ListQuery {
  const query = parseListQuery(search);
  const fields = Object.entries(query.fields).map(([name, names]) => [
    entity.alias.includes(name) ? entity.name : name,
    names,
  ]);
  return { ...query, fields: Object.fromEntries(fields) };
}

/** Prints the pagination of a page, as JSON text without braces: `links`, `meta`, and its figures at the top level. */
export function printPagination({ page, per_page }: ListQuery, total: number, { search, path }: ListRequest): string {
  const last_page = Math.max(1, Math.ceil(total / per_page));
  const parameters = new URLSearchParams(search);
  for (const name of ['page', 'page[number]']) parameters.delete(name);
  const otherParameters = parameters.size > 0 ? `${parameters}&` : '';
  const link = (to: number) => `${path}?${otherParameters}page=${to}`;
  const from = (page - 1) * per_page + 1;
  const rowCount = Math.max(0, Math.min(per_page, total - from + 1));
  const links = {
    first: link(1),
    last: link(last_page),
    prev: page > 1 ? link(Math.min(page - 1, last_page)) : null,
    next: page < last_page ? link(page + 1) : null,
  };
  const meta = {
    current_page: page,
    from: rowCount > 0 ? from : null,
    last_page,
    path,
    per_page,
    to: rowCount > 0 ? from + rowCount - 1 : null,
    total,
  };
  return JSON.stringify({ links, meta, current_page: page, last_page, per_page, total }).slice(1, -1);
}

const rowShape = {
  /** The row as JSON text. */
  data: pg.text,
  version: pg.integer,
};
export type RowResult = RowOf<typeof rowShape>;

const versionedRowShape = {
  ...rowShape,
  /** Access version of the same snapshot. */
  access: pg.double,
};
export type VersionedRowResult = RowOf<typeof versionedRowShape>;

/** Statement of one row with the includes of the query string. Placeholder: `id`. */
const rowStatement = (entity: ModelEntity, caller: Caller, search: string) =>
  statementFor({
    model: entity.model,
    key: JSON.stringify(['row', entity.name, callerKey(caller), search]),
    build: () => {
      const id = sql`${sql.placeholder('id')}::int`;
      const row = rowSql({ entity, caller, query: queryOf(entity, search), id });
      return sql`select r.*, ${sql.raw(accessVersionSql)} as access from (${row}) r`;
    },
  });

async function readRowBy(statement: Statement, db: Queries, id: number): Promise<VersionedRowResult> {
  const [row] = await runStatement(db, versionedRowShape, statement, { id });
  if (!row) throw ApiError.notFound();
  requireIncludeLimit(row.data);
  return row;
}

/** Whether the query string includes lists, so that `readRow` may throw 400 for their length. */
export const mayExceedIncludeLimit = (entity: ModelEntity, caller: Caller, search: string): boolean =>
  search !== '' && includesLists({ entity, caller, query: queryOf(entity, search) });

/**
 * Returns a reader of one row with the includes of the query string, for the response of a write. Throws 400 at once
 * for an invalid query; the reader throws as `readRow` does.
 */
export function prepareRowReader(
  entity: ModelEntity,
  caller: Caller,
  search = '',
): (db: Queries, id: number) => Promise<VersionedRowResult> {
  const statement = rowStatement(entity, caller, search);
  // There must be no await before the query: a write sends it in one pipeline with its commit.
  return (db, id) => readRowBy(statement, db, id);
}

/** Like `prepareRowReader`, for the last row inserted on the same connection, whose id need not be known yet. */
export function prepareInsertedRowReader(
  entity: ModelEntity,
  caller: Caller,
  search = '',
): (db: Queries) => Promise<RowResult> {
  // A parameter, because the driver prepares only statements that have one.
  const id = sql`(select currval(${`${entity.name}_id_seq`}::text::regclass))::int`;
  const statement = statementFor({
    model: entity.model,
    key: JSON.stringify(['inserted', entity.name, callerKey(caller), search]),
    build: () => rowSql({ entity, caller, query: queryOf(entity, search), id }),
  });
  return async (db) => {
    const [row] = await runStatement(db, rowShape, statement, {});
    if (!row) throw ApiError.notFound();
    return row;
  };
}

/** Adds properties to a row's JSON text. */
export const withExtraFields = (data: string, extraFields: Record<string, unknown>): string =>
  Object.keys(extraFields).length === 0 ? data : `${data.slice(0, -1)},${JSON.stringify(extraFields).slice(1)}`;

/**
 * Reads one row with the includes of the query string.
 * @throws 404 if it is not visible to the caller, 400 beyond the limit of included rows
 */
export async function readRow(
  db: Queries,
  entity: ModelEntity,
  caller: Caller,
  { id, search = '' }: { id: number; search?: string },
): Promise<VersionedRowResult> {
  return readRowBy(rowStatement(entity, caller, search), db, id);
}
