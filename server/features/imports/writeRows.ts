/** Writes import rows, many per statement, and does everything that saving a form does. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { column, table } from '../../access/entityModel';
import { ApiError } from '../../context/errors';
import { columnValues, requireWithinScope, storeLinks, type WriteResult } from '../../crud/write/rowWrites';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { sqlTypeOf } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { ImportContext, ValidatedRow } from './importContext';

/** A written row, with its former values. */
export interface StoredRow extends WriteResult {
  row: number;
  before: Record<string, unknown> | null;
  /** Fingerprint of the entity row as written. */
  fingerprint: string;
}

/**
 * Creates rows, then updates rows; returns them in that order.
 * @throws ApiError and database errors, as saving a form would
 */
export async function writeRows(
  context: ImportContext,
  tx: Queries,
  rows: readonly ValidatedRow[],
): Promise<StoredRow[]> {
  const insertedRows = await insertRows(
    context,
    tx,
    rows.filter(({ action }) => action === 'create'),
  );
  const updates = rows.filter(({ action }) => action === 'update');
  await updateRows(context, tx, updates);
  const writtenRows = [...insertedRows, ...updates.map((row) => ({ row, id: (row.current as { id: number }).id }))];
  for (const { row, id } of writtenRows) await runAfterHooks(context, tx, row, id);
  const { entity, caller } = context;
  const entries = writtenRows.map(({ row, id }) => ({ id, before: row.current, after: row.changes }));
  await writeAuditEntries(tx, { entity, by: caller, action: 'create' }, entries.slice(0, insertedRows.length));
  await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, entries.slice(insertedRows.length));
  const ids = writtenRows.map(({ id }) => id);
  await requireWithinScope(tx, entity, caller, ids);
  const fingerprints = await readFingerprints(context, tx, ids);
  return writtenRows.map(({ row: { row, changes, current }, id }) => ({
    row,
    id,
    values: changes,
    before: current ? Object.fromEntries(Object.keys(changes).map((name) => [name, current[name] ?? null])) : null,
    fingerprint: fingerprints.get(id) ?? '',
  }));
}

type Columns = [string, unknown][];

/** Groups rows by the columns that they fill, so that all other columns take their defaults. */
function groupByColumns<T>(
  rows: readonly T[],
  columns: (row: T) => Columns,
): { names: string[]; rows: { row: T; values: Record<string, unknown> }[] }[] {
  const groups = new Map<string, { names: string[]; rows: { row: T; values: Record<string, unknown> }[] }>();
  for (const row of rows) {
    const rowColumns = columns(row);
    const names = rowColumns.map(([name]) => name).sort();
    const group = groups.get(names.join()) ?? { names, rows: [] };
    group.rows.push({ row, values: Object.fromEntries(rowColumns) });
    groups.set(names.join(), group);
  }
  return [...groups.values()];
}

const identifiersSql = (names: readonly string[], prefix = sql``): SQL =>
  sql.join(
    names.map((name) => sql`${prefix}${sql.identifier(name)}`),
    sql`, `,
  );

/** SQL: the rows as a table `x`, each with an `id`. */
function recordsetSql(
  { entity }: ImportContext,
  names: readonly string[],
  rows: readonly Record<string, unknown>[],
): SQL {
  const types = names.map((name) => sql`${sql.identifier(name)} ${sql.raw(sqlTypeOf(entity.fields[name] as Field))}`);
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as
    x(${sql.join([sql`id int`, ...types], sql`, `)})`;
}

async function insertRows(
  context: ImportContext,
  tx: Queries,
  rows: readonly ValidatedRow[],
): Promise<{ row: ValidatedRow; id: number }[]> {
  if (rows.length === 0) return [];
  // Ids are drawn in advance, so that assigning them to rows does not depend on the order of the result.
  const newIds = await tx.select(
    { id: pg.integer },
    sql`select nextval(${`${context.entity.name}_id_seq`}::text::regclass)::int as id
      from generate_series(1, ${rows.length}::int)`,
  );
  const rowsWithIds = rows.map((row, index) => ({ row, id: (newIds[index] as { id: number }).id }));
  for (const { names, rows: group } of groupByColumns(rowsWithIds, ({ row }) =>
    columnValues(context.entity, row.changes),
  )) {
    const records = group.map(({ row, values }) => ({ ...values, id: row.id }));
    await tx.rows(
      sql`insert into ${table(context.entity)} (${identifiersSql(['id', ...names])})
        select ${identifiersSql(['id', ...names], sql`x.`)}
        from ${recordsetSql(context, names, records)} order by x.id`,
    );
  }
  return rowsWithIds;
}

async function updateRows(context: ImportContext, tx: Queries, rows: readonly ValidatedRow[]): Promise<void> {
  const m = sql.raw('m');
  const x = sql.raw('x');
  for (const { names, rows: group } of groupByColumns(rows, ({ changes }) => columnValues(context.entity, changes))) {
    const records = group.map(({ row, values }) => ({ ...values, id: row.current?.id }));
    const assignments = names.map((name) => sql`${sql.identifier(name)} = ${column(x, name)}, `);
    await tx.rows(
      sql`update ${table(context.entity)} m set ${sql.join(assignments, sql``)}version = m.version + 1,
        updated_at = now() from ${recordsetSql(context, names, records)} where ${m}.id = x.id`,
    );
  }
}

/** Stores links and runs the hooks of the entity. */
async function runAfterHooks(
  { entity, caller, services }: ImportContext,
  tx: Queries,
  { changes, current }: ValidatedRow,
  id: number,
): Promise<void> {
  const { after, afterEdit } = entity.hooks;
  const fail = (field: string, problem: Parameters<typeof ApiError.invalidAt>[1]) => {
    throw ApiError.invalidAt(field, problem, entity.name);
  };
  await storeLinks(tx, { entity, caller }, { id, values: changes });
  const context = { tx, caller, services, id, values: changes, fail };
  await after?.({ ...context, current });
  if (current) await afterEdit?.([{ ...context, current }]);
}

/** Columns that the server computes. They change without an edit of the row, so fingerprints exclude them. */
const computedColumns = [
  'version',
  'updated_at',
  'deleted_at',
  'last_service',
  'next_service_due',
  'total_maintenance_cost',
];

/** Returns fingerprints of rows, which reveal later changes. */
export async function readFingerprints(
  { entity }: Pick<ImportContext, 'entity'>,
  tx: Queries,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.select(
    { id: pg.integer, fingerprint: pg.text },
    sql`select m.id, md5((to_jsonb(m) - ${sql.param(computedColumns)}::text[])::text) as fingerprint
      from ${table(entity)} m
      where m.id = any(${sql.param([...ids])}::int[]) and m.deleted_at is null`,
  );
  return new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
}
