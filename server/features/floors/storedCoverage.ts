/** Stores the cells passed by runs in the database, so that they are computed once and a year of them can be summed. */

import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database, Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { lockMachines } from '../../telemetry/timeline/lockMachines';
import { mapXSql } from '../../telemetry/timeline/mapPositions';
import type { FloorRow, RunPeriod } from './floorRows';
import { packCells } from './packCells';
import { countPositions, type PositionCount } from './readFloorPath';
import { SweptCells } from './sweptCells';

/** Version of the algorithms. Must be incremented whenever cells are computed or packed differently. */
const cellsVersion = 2;
/** Runs per statement, some 100 kB to 1 MB. */
const pageSize = 50;

export interface StoredCoverage {
  /** Number of positions on the floor. */
  positions: number;
  /** Number of positions on maps that are not linked to the floor. */
  elsewhere: number;
  /** Changes each time the run's cells are computed. */
  version: string;
}

/**
 * Hash of everything that cells depend on except positions; adding positions deletes the cells (`forgetCoverage.ts`).
 */
export const coverageKeyOf = ({ id, maps }: Pick<FloorRow, 'id' | 'maps'>, { width, from, to }: RunPeriod): string =>
  createHash('sha256')
    .update(JSON.stringify([cellsVersion, id, maps, width, from, to]))
    .digest('base64');

/** Returns the stored cells of runs that are still valid on the floor, by run. */
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
  const rowsByRun = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    periods.flatMap((period) => {
      const row = rowsByRun.get(period.id);
      return row?.key === coverageKeyOf(floor, period) ? [[period.id, row]] : [];
    }),
  );
}

/** Runs per transaction, which locks their machines for some 10 ms. */
const batchSize = 10;

/**
 * Stores empty cells for runs without stored cells whose messages have no positions, as is the case for most machines.
 * Storing these runs one by one would take ten times as long.
 */
export async function storeEmptyCoverage(db: Database, floor: FloorRow, periods: readonly RunPeriod[]): Promise<void> {
  const storedCoverage = await findStoredCoverage(db, floor, periods);
  const missingPeriods = periods.filter(({ id }) => !storedCoverage.has(id));
  const cells = await packCells(new SweptCells());
  for (let from = 0; from < missingPeriods.length; from += batchSize) {
    const runs = missingPeriods.slice(from, from + batchSize);
    const column = (value: (run: RunPeriod) => number | string) => sql.param(runs.map(value));
    await db.transaction(async (tx) => {
      // Writers of positions hold this lock before they delete stored cells.
      await lockMachines(
        tx,
        runs.map(({ machineId }) => machineId),
      );
      await tx.rows(sql`
        insert into run_coverage (run_id, machine_id, from_at, to_at, key, positions, elsewhere, cells)
        select r.id, r.machine_id, p.from_at, p.to_at, p.key, 0, 0, ${cells}
        from unnest(${column(({ id }) => id)}::int[], ${column(({ from }) => from.toISOString())}::timestamptz[],
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

/** Yields the packed cells of runs in pages, so that other statements run in between. */
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
  /** Number of positions, counted before the positions were read. */
  positionCount: PositionCount;
  positions: number;
  elsewhere: number;
  cells: Buffer;
}

/**
 * Stores the cells of a run. Returns their version; `undefined` if the run's positions have changed in the meantime.
 */
export function storeCoverage(
  db: Database,
  { key, period, positionCount, positions, elsewhere, cells }: StoreRequest,
): Promise<string | undefined> {
  const { id, machineId, from, to } = period;
  return db.transaction(async (tx) => {
    // Writers of positions hold this lock before they delete stored cells.
    await lockMachines(tx, [machineId]);
    const { version } = await countPositions(tx, period, positionCount.count);
    if (version !== positionCount.version) return undefined;
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
