/** Bulk inserts and updates in few statements. */
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';

const batch = 5000;

/** Reserves ids for `count` new rows of a table, from its identity sequence. */
export async function newIds(db: Queries, table: string, count: number): Promise<number[]> {
  const rows = await db.select(
    { id: pg.integer },
    sql`
    select nextval(own.sequence)::int as id
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence offset 0) own, generate_series(1,
    ${count}::int)`,
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Inserts rows; `columns` maps column names to PostgreSQL types. A missing value is null. */
export async function load(
  db: Queries,
  table: string,
  columns: Record<string, string>,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const names = sql.join(
    Object.keys(columns).map((name) => sql.identifier(name)),
    sql`, `,
  );
  await inBatches(db, columns, rows, (row) => {
    return sql`insert into ${sql.identifier(table)} (${names}) overriding system value select ${names} from ${row}`;
  });
}

/** Updates columns of existing rows by `id`. */
export async function refine(
  db: Queries,
  table: string,
  columns: Record<string, string>,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const changed = Object.keys(columns).filter((name) => name !== 'id');
  const set = sql.join(
    changed.map((name) => sql`${sql.identifier(name)} = row.${sql.identifier(name)}`),
    sql`, `,
  );
  await inBatches(db, columns, rows, (row) => {
    return sql`update ${sql.identifier(table)} at set ${set} from ${row} where at.id = row.id`;
  });
}

/** Runs a statement for some rows after the other; it reads them from its argument, which is named `row`. */
async function inBatches(
  db: Queries,
  columns: Record<string, string>,
  rows: readonly Record<string, unknown>[],
  statement: (row: SQL) => SQL,
): Promise<void> {
  const typed = sql.raw(
    Object.entries(columns)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  );
  for (let from = 0; from < rows.length; from += batch) {
    const some = JSON.stringify(rows.slice(from, from + batch));
    await db.rows(statement(sql`jsonb_to_recordset(${some}::text::jsonb) as row(${typed})`));
  }
}
