/** Inserts and updates many rows with few statements. */
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';

const batchSize = 5000;

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

/** Inserts rows. `columns` maps column names to PostgreSQL types; a missing value becomes null. */
export async function insertRows(
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
export async function updateColumns(
  db: Queries,
  table: string,
  columns: Record<string, string>,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const changedColumns = Object.keys(columns).filter((name) => name !== 'id');
  const assignments = sql.join(
    changedColumns.map((name) => sql`${sql.identifier(name)} = row.${sql.identifier(name)}`),
    sql`, `,
  );
  await inBatches(db, columns, rows, (row) => {
    return sql`update ${sql.identifier(table)} at set ${assignments} from ${row} where at.id = row.id`;
  });
}

/** Runs a statement for batches of rows; the statement reads them from its argument `row`. */
async function inBatches(
  db: Queries,
  columns: Record<string, string>,
  rows: readonly Record<string, unknown>[],
  statement: (row: SQL) => SQL,
): Promise<void> {
  const columnTypes = sql.raw(
    Object.entries(columns)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  );
  for (let from = 0; from < rows.length; from += batchSize) {
    const batch = JSON.stringify(rows.slice(from, from + batchSize));
    await db.rows(statement(sql`jsonb_to_recordset(${batch}::text::jsonb) as row(${columnTypes})`));
  }
}

/**
 * Runs `work` while the tables have neither foreign keys nor indexes, except primary keys: building and checking them
 * for all rows at once costs a fraction of doing so row by row. Runs in the transaction of the caller, so a failed load
 * restores them. Locks the tables until that transaction ends.
 */
export async function withBareTables(tx: Queries, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const tableArray = sql`any(${sql.param([...tables])}::regclass[])`;
  const [keys, indexes] = [
    await tx.select(
      { drop: pg.text, restore: pg.text },
      sql`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
      from pg_constraint where conrelid = ${tableArray} and contype = 'f' order by oid`,
    ),
    await tx.select(
      { drop: pg.text, restore: pg.text },
      sql`
      select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as restore
      from pg_index where indrelid = ${tableArray}
      and not exists (select from pg_constraint where conindid = indexrelid)
      order by indexrelid`,
    ),
  ];
  for (const { drop } of [...keys, ...indexes]) await tx.rows(sql.raw(drop));
  await work();
  for (const { restore } of [...indexes, ...keys]) await tx.rows(sql.raw(restore));
}
