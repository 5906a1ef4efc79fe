/** Cells passed by runs, computed once and stored in the database, so that a year of them can be summed. */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database, Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { mapXSql } from '../../telemetry/timeline/mapPositions';
import type { FloorRow, RunPeriod } from './floorRows';
import { packCells } from './packCells';
import { countPositions, type PositionCount } from './readFloorPath';
import { SweptCells } from './sweptCells';

/** Must change whenever cells are computed or packed differently. */
const cellsVersion = 2;
/** Runs per statement: some 100 kB to 1 MB. */
const pageSize = 50;

export interface StoredCoverage {
  /** Positions on the floor, and those on maps that are not linked to it. */
  positions: number;
  elsewhere: number;
  /** Identifies this computation of the run's cells. */
  version: string;
}

/** Identifies what cells depend on, except positions: adding those deletes the cells (`forgetCoverage.ts`). */
export const coverageKeyOf = ({ id, maps }: Pick<FloorRow, 'id' | 'maps'>, { width, from, to }: RunPeriod): string =>
  createHash('sha256')
    .update(JSON.stringify([cellsVersion, id, maps, width, from, to]))
    .digest('base64');

/** Valid stored cells of runs on the floor, by run. */
export async function findStoredCoverage(
  db: Queries,
  floor: FloorRow,
  periods: readonly RunPeriod[],
): Promise<Map<number, StoredCoverage>> {
  const rows = await db.select(
    { id: pg.integer, key: pg.text, positions: pg.integer, elsewhere: pg.integer, version: pg.text },
    sql`select run_id as id, key, positions, elsewhere, run_id || '.' || extract(epoch from computed_at) as version
      from run_coverage where run_id = any(${sql.param(periods.map(({ id }) => id))}::int[])`,
  );
  const byRun = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    periods.flatMap((period) => {
      const row = byRun.get(period.id);
      return row?.key === coverageKeyOf(floor, period) ? [[period.id, row]] : [];
    }),
  );
}

/** Runs per transaction, which locks their machines for some 10 ms. */
const batchSize = 10;

/**
 * Stores empty cells for runs without stored cells and without positions in their messages: most runs of machines that
 * do not report positions. One by one they would take ten times as long.
 */
export async function storeEmptyCoverage(db: Database, floor: FloorRow, periods: readonly RunPeriod[]): Promise<void> {
  const stored = await findStoredCoverage(db, floor, periods);
  const missing = periods.filter(({ id }) => !stored.has(id));
  const cells = await packCells(new SweptCells());
  for (let from = 0; from < missing.length; from += batchSize) {
    const runs = missing.slice(from, from + batchSize);
    const column = (value: (run: RunPeriod) => number | string) => sql.param(runs.map(value));
    await db.transaction(async (tx) => {
      // As in `storeCoverage`.
      await tx.rows(sql`select id from machines_state where id = any(${column(({ machineId }) => machineId)}::int[])
        order by id for update`);
      await tx.rows(sql`
        insert into run_coverage (run_id, machine_id, from_at, to_at, key, positions, elsewhere, cells)
        select r.id, r.machine_id, p.from_at, p.to_at, p.key, 0, 0, ${cells}
        from unnest(${column(({ id }) => id)}::int[], ${column(({ from: at }) => at.toISOString())}::timestamptz[],
          ${column(({ to }) => to.toISOString())}::timestamptz[],
          ${column((run) => coverageKeyOf(floor, run))}::text[]) p(id, from_at, to_at, key) join runs r on r.id = p.id
        where (select o.at from observations o where o.machine_id = r.machine_id and o.at >= p.from_at
          and o.at <= p.to_at and ${mapXSql} is not null limit 1) is null
        on conflict (run_id) do update set machine_id = excluded.machine_id, from_at = excluded.from_at,
          to_at = excluded.to_at, key = excluded.key, positions = 0, elsewhere = 0, cells = excluded.cells,
          computed_at = clock_timestamp()`);
    });
  }
}

/** Packed cells of runs, in pages, so that others can use the database in between. */
export async function* readPackedCells(db: Queries, runIds: readonly number[]): AsyncGenerator<Uint8Array[]> {
  for (let from = 0; from < runIds.length; from += pageSize) {
    const ids = runIds.slice(from, from + pageSize);
    const rows = await db.select(
      { cells: pg.bytea },
      sql`select cells from run_coverage where run_id = any(${sql.param(ids)}::int[])`,
    );
    yield rows.map(({ cells }) => cells);
  }
}

interface StoreRequest {
  key: string;
  period: RunPeriod;
  /** Number of positions, counted before they were read. */
  counted: PositionCount;
  positions: number;
  elsewhere: number;
  cells: Buffer;
}

/** Stores the cells of a run. `undefined`: its positions changed meanwhile. */
export function storeCoverage(
  db: Database,
  { key, period, counted, positions, elsewhere, cells }: StoreRequest,
): Promise<string | undefined> {
  const { id, machineId, from, to } = period;
  return db.transaction(async (tx) => {
    // Writers of positions hold this lock before they delete stored cells.
    await tx.rows(sql`select id from machines_state where id = ${machineId}::int for update`);
    const { version } = await countPositions(tx, period, counted.count);
    if (version !== counted.version) return undefined;
    const row = await tx.selectOne(
      { version: pg.text },
      sql`insert into run_coverage (run_id, machine_id, from_at, to_at, key, positions, elsewhere, cells)
        select id, machine_id, ${from.toISOString()}::timestamptz, ${to.toISOString()}::timestamptz, ${key},
          ${positions}::int, ${elsewhere}::int, ${cells} from runs where id = ${id}::int
        on conflict (run_id) do update set machine_id = excluded.machine_id, from_at = excluded.from_at,
          to_at = excluded.to_at, key = excluded.key, positions = excluded.positions, elsewhere = excluded.elsewhere,
          cells = excluded.cells, computed_at = clock_timestamp()
        returning run_id || '.' || extract(epoch from computed_at) as version`,
    );
    return row?.version;
  });
}
