/**
 * Updates runs of VDA 5050 orders after new states of their vehicles: a periodic task processes the queue
 * `order_changes`.
 */

import { sql } from 'drizzle-orm';
import { normalizeChoices } from '../../../schema/dsl/normalizeChoices';
import { runs as runEntity } from '../../../schema/entities/runs';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { isDatabaseAway } from '../../db/core/faults';
import { pg } from '../../db/core/rowShape';
import { truncate } from '../adapters/requireStorable';
import { lockMachines } from '../timeline/lockMachines';
import { markShape } from '../timeline/neighbours';
import { isoOfSeconds, toEpochSeconds } from '../timeline/timeline';
import { deriveOrderRuns, type OrderRun, type OrderState } from './deriveOrderRuns';
import { matchStoredRuns } from './matchStoredRuns';
import { runSpansOf } from './mergeRunSpans';
import { stayAtSql } from './reportPlaces';
import { maxSilenceOfTask, orderPrefix, supersedeRuns } from './supersedeRuns';

/** Rows per statement: between statements, others can use the only session of the embedded database. */
const pageRows = 2000;
/** Maximum milliseconds of states read before and after a change: a vehicle may report one order for months. */
const maxReach = 2 * 86_400_000;
/** Maximum milliseconds of a change processed at once; the rest stays in the queue. */
const maxSpan = 86_400_000;

const changeShape = {
  machine_id: pg.integer,
  ids: pg.json<number[]>(),
  from: pg.timestamptz,
  to: pg.timestamptz,
};
interface OrderChange {
  machineId: number;
  ids: readonly number[];
  from: Date;
  to: Date;
  /** End of the change; the part after `to` is queued again. */
  fullEnd: Date;
}

/**
 * Processes all changes. Safe in every process: if another one has taken a change, this one skips it. If the changes of
 * machines fail, those of all others are processed; then throws the first error. The next call tries them again.
 */
export async function refreshOrderRuns({ db, live }: Pick<Services, 'db' | 'live'>): Promise<void> {
  const failures: { machineId: number; error: unknown }[] = [];
  for (;;) {
    const failedIds = failures.map(({ machineId }) => machineId);
    const row = await db.selectOne(
      changeShape,
      sql`select machine_id, jsonb_agg(id) as ids, min(from_at) as "from", max(to_at) as "to" from order_changes
        where machine_id = (select machine_id from order_changes where machine_id <> all(${sql.param(failedIds)}::int[])
          order by id limit 1) group by 1`,
    );
    if (!row) break;
    const to = new Date(Math.min(row.to.getTime(), row.from.getTime() + maxSpan));
    const change = { machineId: row.machine_id, ids: row.ids, from: row.from, to, fullEnd: row.to };
    try {
      const states = await readStatesAround(db, change);
      const events = await db.transaction((tx) => storeOrderRuns(tx, change, states), { maxSilence: maxSilenceOfTask });
      await live.publish(events);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      failures.push({ machineId: row.machine_id, error });
    }
  }
  if (failures[0]) throw failures[0].error;
}

const orderSql = sql.raw(`o.attributes->>'orderId'`);

interface StatesAround {
  states: OrderState[];
  /** Time of the first state of the next order, else the last instant read. */
  end: Date;
}

/** States of the orders affected by a change, and of the orders before and after, within `maxReach`. */
async function readStatesAround(db: Queries, { machineId, from, to }: OrderChange): Promise<StatesAround> {
  const machineStatesWhere = sql`o.machine_id = ${machineId}::int and o.kind = 'state'`;
  const [start, until] = [from.toISOString(), to.toISOString()];
  const earliest = new Date(from.getTime() - maxReach);
  const latestTime = new Date(to.getTime() + maxReach);
  const bounds = await db.selectOne(
    { start: pg.timestamptz.nullable, end: pg.timestamptz.nullable },
    sql`
    select (select o.at from observations o where ${machineStatesWhere} and o.at < ${start}::timestamptz
        and o.at > ${earliest.toISOString()}::timestamptz
        and ${orderSql} is distinct from before.id order by o.at desc limit 1) as start,
      (select o.at from observations o where ${machineStatesWhere} and o.at > ${until}::timestamptz
        and o.at < ${latestTime.toISOString()}::timestamptz
        and ${orderSql} is distinct from after.id order by o.at limit 1) as "end"
    from (select) single_row
    left join lateral (select ${orderSql} as id from observations o where ${machineStatesWhere}
      and o.at < ${start}::timestamptz order by o.at desc limit 1) before on true
    left join lateral (select ${orderSql} as id from observations o where ${machineStatesWhere}
      and o.at > ${until}::timestamptz order by o.at limit 1) after on true`,
  );
  const end = bounds?.end ?? latestTime;
  const states: OrderState[] = [];
  for (let last = bounds?.start ?? earliest; ; ) {
    const rows = await db.select(
      { ...markShape, battery: pg.double.nullable, error: pg.text.nullable, message: pg.text.nullable },
      sql`
      select o.at, o.kind, o.state, o.odometer, o.area_total, o.latitude, o.longitude, o.attributes,
        o.battery::float8 as battery, o.error, o.message
      from observations o where ${machineStatesWhere} and o.at > ${last.toISOString()}::timestamptz
        and o.at <= ${end.toISOString()}::timestamptz
      order by o.at limit ${pageRows}::int`,
    );
    states.push(...rows);
    const newestRow = rows.at(-1);
    if (rows.length < pageRows || !newestRow) return { states, end };
    last = newestRow.at;
  }
}

async function storeOrderRuns(
  tx: Queries,
  { machineId, ids, to, fullEnd }: OrderChange,
  { states, end }: StatesAround,
): Promise<LiveEvent[]> {
  await lockMachines(tx, [machineId]);
  const deletedRows = await tx.rows(
    sql`delete from order_changes where id = any(${sql.param([...ids])}::bigint[]) returning id`,
  );
  // Another process has handled the change, possibly with newer states.
  if (deletedRows.length < ids.length) return [];
  if (fullEnd > to)
    await tx.rows(sql`
      insert into order_changes (machine_id, from_at, to_at)
      values (${machineId}::int, ${to.toISOString()}::timestamptz, ${fullEnd.toISOString()}::timestamptz)`);
  const first = states[0];
  if (!first) return [];
  const storedRuns = await tx.select(
    { id: pg.integer, from: pg.double, to: pg.double },
    sql`
    select id, extract(epoch from started_at)::float8 as "from", extract(epoch from ended_at)::float8 as "to"
    from runs where machine_id = ${machineId}::int and source = 'reported'
      and starts_with(external_id, ${orderPrefix}) and ended_at > ${isoOfSeconds(toEpochSeconds(first.at))}::timestamptz
      and started_at < ${isoOfSeconds(toEpochSeconds(end))}::timestamptz order by started_at`,
  );
  // Runs whose first states have expired.
  const olderRuns = storedRuns.filter(({ from }) => from < toEpochSeconds(first.at));
  const runs = deriveOrderRuns(states).filter((run) => olderRuns.every(({ to }) => run.from >= to));
  const { matches, unmatchedIds } = matchStoredRuns(
    runs,
    storedRuns.filter((run) => !olderRuns.includes(run)),
  );
  await tx.rows(sql`delete from runs where id = any(${sql.param(unmatchedIds)}::int[])`);
  const writtenRuns = await writeRuns(tx, machineId, matches);
  const supersededIds = await supersedeRuns(tx, runSpansOf(machineId, [...storedRuns, ...runs]));
  return [
    ...unmatchedIds.map((id): LiveEvent => ({ entity: 'runs', id, type: 'deleted' })),
    ...writtenRuns.map(({ id, isNew }): LiveEvent => ({ entity: 'runs', id, type: isNew ? 'created' : 'updated' })),
    ...supersededIds.map((id): LiveEvent => ({ entity: 'runs', id, type: 'updated' })),
  ];
}

/**
 * Stores runs and returns the changed ones. Runs that a person corrected stay as they are. Deleted runs get the values
 * of their latest states, but stay in the bin.
 */
async function writeRuns(
  tx: Queries,
  machineId: number,
  runs: readonly { run: OrderRun; id: number | undefined }[],
): Promise<{ id: number; isNew: boolean }[]> {
  if (runs.length === 0) return [];
  const rows = runs.map(({ run, id }) => ({
    id,
    external_id: `${orderPrefix}${truncate(run.orderId, 80)} ${isoOfSeconds(run.from)}`,
    task_id: truncate(run.orderId, 120),
    ...normalizeChoices(runEntity.fields, { mode_raw: run.action }),
    started_at: isoOfSeconds(run.from),
    ended_at: isoOfSeconds(run.to),
    outcome: run.outcome,
    outcome_raw: run.outcomeRaw,
    distance_m: run.distance,
    battery_start: run.batteryStart,
    battery_end: run.batteryEnd,
    interruptions: run.interruptions,
    map_id: run.mapId,
  }));
  const columns = {
    external_id: 'text',
    task_id: 'text',
    mode: 'text',
    mode_raw: 'text',
    started_at: 'timestamptz',
    ended_at: 'timestamptz',
    outcome: 'text',
    outcome_raw: 'text',
    distance_m: 'float8',
    battery_start: 'float8',
    battery_end: 'float8',
    interruptions: 'jsonb',
  };
  const names = [...Object.keys(columns), 'duration_s', 'location_id', 'floor_id'];
  const columnList = (alias: string) => sql.raw(names.map((name) => `${alias}${name}`).join(', '));
  const types = sql.raw(
    Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  );
  const runsSql = sql`(
    select r.*, place.location_id, floor.id as floor_id, cleaned.seconds as duration_s
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id int, map_id text, ${types})
    cross join lateral (select ${stayAtSql(sql`${machineId}::int`, sql`r.started_at`)} as location_id) place
    left join lateral (select f.id from floors f where f.location_id = place.location_id and f.deleted_at is null
      and f.maps @> jsonb_build_array(jsonb_build_object('map_id', r.map_id)) order by f.id limit 1) floor on true
    cross join lateral (select ${cleanedSecondsSql(machineId)} as seconds) cleaned
  )`;
  const changedRows = await tx.select(
    { id: pg.integer },
    sql`
    update runs d set ${sql.raw(names.map((name) => `${name} = g.${name}`).join(', '))}, updated_at = now()
    from ${runsSql} g where d.id = g.id and d.original is null
      and (${columnList('d.')}) is distinct from (${columnList('g.')}) returning d.id`,
  );
  const addedRows = await tx.select(
    { id: pg.integer },
    sql`
    insert into runs (machine_id, source, ${columnList('')}) select ${machineId}::int, 'reported', ${columnList('g.')}
    from ${runsSql} g where g.id is null and exists (select from machines where id = ${machineId}::int)
    order by g.started_at on conflict do nothing returning id`,
  );
  return [...changedRows.map(({ id }) => ({ id, isNew: false })), ...addedRows.map(({ id }) => ({ id, isNew: true }))];
}

/** SQL: seconds of cleaning in the timeline within the run `r`. */
const cleanedSecondsSql = (machineId: number) => sql`(select coalesce(sum(extract(epoch from
    least(coalesce(s.to_at, r.ended_at), r.ended_at) - greatest(s.from_at, r.started_at))), 0)::int
  from segments s where s.machine_id = ${machineId}::int and s.state = 'Cleaning'
    and s.from_at < r.ended_at and coalesce(s.to_at, 'infinity') > r.started_at)`;

/** Updates the durations of a machine's order runs after its timeline changed between two instants. */
export const refreshOrderDurations = (
  tx: Queries,
  machineId: number,
  { from, to }: { from: number; to: number },
): Promise<{ id: number }[]> =>
  tx.select(
    { id: pg.integer },
    sql`
    update runs r set duration_s = ${cleanedSecondsSql(machineId)}, updated_at = now()
    where r.machine_id = ${machineId}::int and r.source = 'reported' and starts_with(r.external_id, ${orderPrefix})
      and r.original is null and r.started_at <= ${isoOfSeconds(to)}::timestamptz
      and r.ended_at >= ${isoOfSeconds(from)}::timestamptz and r.duration_s is distinct from
        ${cleanedSecondsSql(machineId)}
    returning r.id`,
  );
