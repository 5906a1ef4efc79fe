/** Updates derived runs after changes of the timeline: a periodic task processes the queue `run_changes`. */

import { sql } from 'drizzle-orm';
import type { StateName } from '../../../schema/entities/machines';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { tryAdvisoryLock } from '../../db/core/tryAdvisoryLock';
import { lockMachines } from '../timeline/lockMachines';
import { mapIdSql } from '../timeline/mapPositions';
import { isoOfSeconds } from '../timeline/timeline';
import { type DerivedRun, defaultPauseLimit, deriveRuns, type LocationStay, type RunSegment } from './deriveRuns';
import { matchStoredRuns } from './matchStoredRuns';
import { type RunSpan, runSpansOf } from './mergeRunSpans';
import { refreshOrderDurations } from './refreshOrderRuns';
import { maxSilenceOfTask, supersedeRuns } from './supersedeRuns';

/** Machines per transaction: few, so that their messages are not delayed. */
const batchSize = 10;

/** Processes all queued changes. Safe in every process: only one works at a time. */
export async function refreshDerivedRuns({ db, live }: Pick<Services, 'db' | 'live'>): Promise<void> {
  for (;;) {
    const events = await db.transaction(refreshBatch, { maxSilence: maxSilenceOfTask });
    if (events === undefined) return;
    await live.publish(events);
  }
}

const changeShape = { machine_id: pg.integer, from: pg.double, to: pg.double, pause: pg.integer };

/** Events of changed runs; `undefined` if nothing is left for this process. */
async function refreshBatch(tx: Queries): Promise<LiveEvent[] | undefined> {
  if (!(await tryAdvisoryLock(tx, 'derivedRuns'))) return undefined;
  const changes = await tx.select(
    changeShape,
    sql`
    with due as (select machine_id from run_changes group by machine_id order by min(id) limit ${batchSize}::int),
    deleted as (delete from run_changes c using due where c.machine_id = due.machine_id
      returning c.machine_id, c.from_at, c.to_at)
    select g.machine_id, extract(epoch from min(g.from_at))::float8 as "from",
      extract(epoch from max(g.to_at))::float8 as "to", min(coalesce(t.run_pause, ${defaultPauseLimit}::int)) as pause
    from deleted g join machines m on m.id = g.machine_id left join types t on t.id = m.type_id
    where m.deleted_at is null group by 1 order by 1`,
  );
  if (changes.length === 0) return (await tx.one(sql`select 1 from run_changes limit 1`)) ? [] : undefined;
  const machineIds = changes.map(({ machine_id }) => machine_id);
  await lockMachines(tx, machineIds);
  const events: LiveEvent[] = [];
  const changedSpans: RunSpan[] = [];
  for (const { machine_id: machineId, from, to, pause } of changes) {
    const refreshResult = await refreshMachine(tx, { machineId, from, to, pauseLimit: pause });
    events.push(...refreshResult.events);
    changedSpans.push(...refreshResult.spans);
  }
  const supersededIds = await supersedeRuns(tx, changedSpans);
  return [...events, ...supersededIds.map((id): LiveEvent => ({ entity: 'runs', id, type: 'updated' }))];
}

export interface RefreshRequest {
  machineId: number;
  /** First and last second since 1970 of the change. */
  from: number;
  to: number;
  pauseLimit: number;
}

const storedShape = { id: pg.integer, from: pg.double, to: pg.double };
/**
 * Derives the runs around one change again; those separated from it by more than a pause are unaffected. Returns the
 * spans of the runs before and after.
 */
export async function refreshMachine(
  tx: Queries,
  request: RefreshRequest,
): Promise<{ events: LiveEvent[]; spans: RunSpan[] }> {
  const { machineId, pauseLimit } = request;
  const storedRuns = await tx.select(
    storedShape,
    sql`
    select id, extract(epoch from started_at)::float8 as "from", extract(epoch from ended_at)::float8 as "to"
    from runs where machine_id = ${machineId}::int and source = 'derived'
      and started_at <= ${isoOfSeconds(request.to + pauseLimit)}::timestamptz
      and ended_at >= ${isoOfSeconds(request.from - pauseLimit)}::timestamptz order by started_at`,
  );
  const from = Math.min(request.from, ...storedRuns.map((run) => run.from));
  const to = Math.max(request.to, ...storedRuns.map((run) => run.to));
  const segments = await readSegmentsBetween(tx, machineId, { from: from - pauseLimit, to: to + pauseLimit });
  const derivedRuns = deriveRuns(segments, { stays: await readStays(tx, machineId), pauseLimit });
  // The margin contains parts of the separate runs before and after, which do not change.
  const runs = derivedRuns.filter((run) => run.from < to && run.to > from);
  const { matches, unmatchedIds } = matchStoredRuns(runs, storedRuns);
  await tx.rows(sql`delete from runs where id = any(${sql.param(unmatchedIds)}::int[])`);
  const writtenRuns = await storeDerivedRuns(tx, machineId, matches);
  const orderRunIds = await refreshOrderDurations(tx, machineId, request);
  return {
    events: [
      ...unmatchedIds.map((id): LiveEvent => ({ entity: 'runs', id, type: 'deleted' })),
      ...writtenRuns.map(({ id, isNew }): LiveEvent => ({ entity: 'runs', id, type: isNew ? 'created' : 'updated' })),
      ...orderRunIds.map(({ id }): LiveEvent => ({ entity: 'runs', id, type: 'updated' })),
    ],
    spans: runSpansOf(machineId, [...storedRuns, ...runs]),
  };
}

const readSegmentsBetween = (
  tx: Queries,
  machineId: number,
  { from, to }: { from: number; to: number },
): Promise<RunSegment[]> =>
  tx.select(
    { from: pg.double, to: pg.double.nullable, state: pg.text.as<StateName>() },
    sql`
    select extract(epoch from from_at)::float8 as "from", extract(epoch from to_at)::float8 as "to", state
    from segments where machine_id = ${machineId}::int and from_at <= ${isoOfSeconds(to)}::timestamptz
      and (to_at is null or to_at >= ${isoOfSeconds(from)}::timestamptz) order by from_at`,
  );

const readStays = (tx: Queries, machineId: number): Promise<LocationStay[]> =>
  tx.select(
    { location: pg.integer, from: pg.double, to: pg.double.nullable },
    sql`
    select location_id as location, ceil(extract(epoch from from_at))::float8 as "from",
      ceil(extract(epoch from to_at))::float8 as "to"
    from machine_stays where machine_id = ${machineId}::int order by from_at`,
  );

/**
 * Stores runs with pauses as interruptions, and area, battery and floor from their messages; the floor is the one at
 * the location whose maps most positions are on. Returns new and changed runs.
 */
async function storeDerivedRuns(
  tx: Queries,
  machineId: number,
  runs: readonly { run: DerivedRun; id: number | undefined }[],
): Promise<{ id: number; isNew: boolean }[]> {
  if (runs.length === 0) return [];
  const rows = runs.map(({ run: { from, to, seconds, location, pauses }, id }) => ({
    id,
    started_at: isoOfSeconds(from),
    ended_at: isoOfSeconds(to),
    duration_s: seconds,
    location_id: location,
    interruptions: pauses.map((pause) => ({
      at: isoOfSeconds(pause.from),
      reason: pause.states.join(', ') || null,
      resolved_at: isoOfSeconds(pause.to),
    })),
  }));
  const derivedRunsSql = sql`(
    select r.*, o.area as cleaned_area_m2, o.battery_start, o.battery_end, f.floor_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id int, started_at timestamptz,
      ended_at timestamptz, duration_s int, location_id int, interruptions jsonb)
    cross join lateral (
      select nullif(coalesce(sum(area), 0) + coalesce(sum(case when total >= previous_total then total -
        previous_total else total end)
          filter (where previous_total is not null), 0), 0) as area,
        (array_agg(battery order by at) filter (where battery is not null))[1]::float8 as battery_start,
        (array_agg(battery order by at desc) filter (where battery is not null))[1]::float8 as battery_end
      from (
        select at, area, battery, area_total as total,
          lag(area_total) over (partition by area_total is null order by at, kind) as previous_total
        from observations where machine_id = ${machineId}::int and at between r.started_at and r.ended_at
      ) observed
    ) o
    left join lateral (
      select floor.id as floor_id from floors floor join (
        select ${mapIdSql} as map, count(*) as positions from observations o where o.machine_id = ${machineId}::int
          and o.at between r.started_at and r.ended_at and exists (select from floors other
            where other.location_id = r.location_id and other.deleted_at is null)
        group by 1
      ) m on floor.maps @> jsonb_build_array(jsonb_build_object('map_id', m.map))
      where floor.location_id = r.location_id and floor.deleted_at is null
      group by floor.id order by sum(m.positions) desc, floor.id limit 1
    ) f on true
  )`;
  const columns = ['started_at', 'ended_at', 'duration_s', 'location_id', 'interruptions', 'cleaned_area_m2'];
  const names = [...columns, 'battery_start', 'battery_end', 'floor_id'];
  const columnList = (prefix: string) => sql.raw(names.map((name) => `${prefix}${name}`).join(', '));
  const changedRows = await tx.select(
    { id: pg.integer },
    sql`
    update runs d set ${sql.raw(names.map((name) => `${name} = g.${name}`).join(', '))}, version = d.version + 1,
      updated_at = now()
    from ${derivedRunsSql} g where d.id = g.id and (${columnList('d.')}) is distinct from (${columnList('g.')})
    returning d.id`,
  );
  const addedRows = await tx.select(
    { id: pg.integer },
    sql`
    insert into runs (machine_id, source, ${columnList('')}) select ${machineId}::int, 'derived', ${columnList('g.')}
    from ${derivedRunsSql} g where g.id is null order by g.started_at returning id`,
  );
  return [...changedRows.map(({ id }) => ({ id, isNew: false })), ...addedRows.map(({ id }) => ({ id, isNew: true }))];
}
