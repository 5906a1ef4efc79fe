/** Lists and single rows: the answers of `GET /{r}` and `GET /{r}/{id}`. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../../schema/dsl/entity';
import { type ListQuery, readListQuery } from '../../../schema/dsl/query';
import { accessVersion } from '../../auth/loadCaller';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { includesMany, requireFewIncluded, requireFewIncludedIn } from '../query/includeLimit';
import { rowSql } from '../query/select';
import { callerKey, run, statementFor } from '../query/statementCache';
import { pageWithTotal } from './count';

export interface ListRequest {
  /** The query string, without `?`. */
  search: string;
  /** The address of the list without its query, as `meta.path` and the links carry it. */
  path: string;
  /** A further condition on the alias `m`. */
  extra?: SQL;
}

/** The body of a list as JSON text: `{data, links, meta, current_page, last_page, per_page, total}`. */
export const readList = async (
  services: Services,
  entity: Entity,
  caller: Caller,
  asked: ListRequest,
): Promise<string> => (await listPage(services, entity, caller, asked)).body;

/** The same with the access version of the moment it was read at, for `proven`. */
export async function listPage(
  services: Services,
  entity: Entity,
  caller: Caller,
  { search, path, extra }: ListRequest,
): Promise<{ body: string; access: number }> {
  const { data, total, query, access } = await readListRows(services, entity, caller, { search, extra });
  return { body: `{"data":${data},${pagination(query, total, { search, path })}}`, access };
}

export interface ListRowsResult {
  /** The rows of the page as a JSON array in text. */
  data: string;
  /** How many rows the query means on all pages. */
  total: number;
  query: ListQuery;
  /** The access version of the moment it was read at. */
  access: number;
}

/** One page of a list without the body around it. */
export async function readListRows(
  services: Services,
  entity: Entity,
  caller: Caller,
  { search, extra }: Omit<ListRequest, 'path'>,
): Promise<ListRowsResult> {
  requirePermission(caller, `${entity.name}.list`);
  const query = queryOf(entity, search);
  const reading = { entity, caller, query, extra };
  if (includesMany(reading)) await requireFewIncluded(services.db, reading);
  return { ...(await pageWithTotal(services.db, reading)), query };
}

/** The query as meant for the entity: sparse fields may be asked by the alias that the resource is called by. */
function queryOf(entity: Entity, search: string): ListQuery {
  const query = readListQuery(search);
  const fields = Object.entries(query.fields).map(([name, asked]) => [
    entity.alias.includes(name) ? entity.name : name,
    asked,
  ]);
  return { ...query, fields: Object.fromEntries(fields) };
}

/** Where a page stands: `links`, `meta` and the same figures flat, as JSON text without braces. */
export function pagination({ page, per_page }: ListQuery, total: number, { search, path }: ListRequest): string {
  const last_page = Math.max(1, Math.ceil(total / per_page));
  const link = (to: number) => {
    const kept = new URLSearchParams(search);
    for (const name of ['page', 'page[number]']) kept.delete(name);
    kept.append('page', String(to));
    return `${path}?${kept}`;
  };
  const from = (page - 1) * per_page + 1;
  const held = Math.max(0, Math.min(per_page, total - from + 1));
  const links = {
    first: link(1),
    last: link(last_page),
    prev: page > 1 ? link(Math.min(page - 1, last_page)) : null,
    next: page < last_page ? link(page + 1) : null,
  };
  const meta = {
    current_page: page,
    from: held > 0 ? from : null,
    last_page,
    path,
    per_page,
    to: held > 0 ? from + held - 1 : null,
    total,
  };
  return `"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)},"current_page":${page},"last_page":${last_page},"per_page":${per_page},"total":${total}`;
}

export interface RowResult {
  /** The row as JSON text. */
  data: string;
  version: number;
}

export interface VersionedRowResult extends RowResult {
  /** The access version of the moment it was read at. */
  access: number;
}

/**
 * Reads one row with the includes of the query string; 404 when it does not exist for the caller. What the query may
 * not ask is refused at once.
 */
export function prepareRowReader(
  entity: Entity,
  caller: Caller,
  search = '',
): (db: Queries, id: number) => Promise<VersionedRowResult> {
  const statement = statementFor({
    key: JSON.stringify(['row', entity.name, callerKey(caller), search]),
    build: () => {
      const row = rowSql({ entity, caller, query: queryOf(entity, search), id: sql`${sql.placeholder('id')}::int` });
      return sql`select found.*, ${sql.raw(accessVersion)} as access from (${row}) found`;
    },
  });
  // Asked without a pause: a write sends it together with its commit.
  return async (db, id) => {
    const [found] = await run<VersionedRowResult>(db, statement, { id });
    if (!found) throw ApiError.notFound();
    return found;
  };
}

/** The same of the row that was inserted last on the very connection: its id need not be known yet. */
export function prepareInsertedRowReader(
  entity: Entity,
  caller: Caller,
  search = '',
): (db: Queries) => Promise<RowResult> {
  // The driver prepares nothing without a parameter.
  const id = sql`(select currval(${`${entity.name}_id_seq`}::text::regclass))::int`;
  const statement = statementFor({
    key: JSON.stringify(['made', entity.name, callerKey(caller), search]),
    build: () => rowSql({ entity, caller, query: queryOf(entity, search), id }),
  });
  return async (db) => {
    const [found] = await run<RowResult>(db, statement, {});
    if (!found) throw ApiError.notFound();
    return found;
  };
}

/** A row as JSON text with further fields. */
export const withExtraFields = (data: string, more: Record<string, unknown>): string =>
  Object.keys(more).length === 0 ? data : `${data.slice(0, -1)},${JSON.stringify(more).slice(1)}`;

/** One row, read now. */
export const readRow = async (
  db: Queries,
  entity: Entity,
  caller: Caller,
  { id, search }: { id: number; search?: string },
): Promise<VersionedRowResult> => {
  const read = prepareRowReader(entity, caller, search);
  const reading = { entity, caller, query: queryOf(entity, search ?? '') };
  if (includesMany(reading)) await requireFewIncludedIn(db, reading, id);
  return read(db, id);
};
