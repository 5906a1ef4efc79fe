/** Recomputes daily sums of machines whose local days changed with their location or its time zone. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { areaStep, distanceStep } from './counters';
import { daySumsSql, splitAtMidnightsSql, timeZoneSql } from './days';
import { distanceMarkWhere, type MarkValues, markShape } from './neighbours';

/** A machine with the time zone that its daily sums were counted in. */
export interface MachineInFormerZone {
  id: number;
  zone: string;
}

/**
 * Recomputes times from the segments. Areas, distances and message counts move with their observations; those of
 * expired observations stay on their day. Must be called after the zone was changed.
 */
export async function recountDays(tx: Queries, machines: readonly MachineInFormerZone[]): Promise<void> {
  if (machines.length === 0) return;
  const ids = machines.map(({ id }) => id);
  // Waits for transactions that store messages: they count in the former zone and must be visible below.
  await tx.rows(
    sql`select id from machines_state where id = any(${sql.param(ids)}::int[]) order by id for no key update`,
  );
  await recountTimes(tx, ids);
  for (const machine of machines) await moveCounts(tx, machine);
  // One more day on either side, for what was counted in the former zone.
  await tx.rows(sql`
    select count_run_days(machine_id, min(started_at) - interval '1 day', max(ended_at) + interval '1 day')
    from runs where machine_id = any(${sql.param(ids)}::int[]) and source <> 'derived' group by machine_id`);
}

async function recountTimes(tx: Queries, machineIds: readonly number[]): Promise<void> {
  const ids = sql`${sql.param([...machineIds])}::int[]`;
  await tx.rows(
    sql`update machine_days set cleaning = 0, charging = 0, parked = 0, online = 0, robotic = 0, manual = 0,
      teaching = 0 where machine_id = any(${ids})`,
  );
  await tx.rows(sql`
    with span as (
      select s.machine_id, s.from_at, coalesce(s.to_at, date_trunc('second', w.observed_at)) as to_at, s.state, s.mode,
      1 as sign
      from segments s join machine_watch w on w.machine_id = s.machine_id
      where s.machine_id = any(${ids}) and s.state <> 'Offline'
      and coalesce(s.to_at, date_trunc('second', w.observed_at)) > s.from_at
    )
    insert into machine_days as at (machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching)
    select machine_id, day, ${daySumsSql} from (${splitAtMidnightsSql(sql`span`)}) daily group by machine_id, day
    on conflict (machine_id, day) do update set cleaning = excluded.cleaning, charging = excluded.charging,
    parked = excluded.parked, online = excluded.online,
      robotic = excluded.robotic, manual = excluded.manual, teaching = excluded.teaching`);
}

/** Observations per statement. */
const batchSize = 5000;

const movedObservationShape = {
  ...markShape,
  area: pg.double.nullable,
  marks_distance: pg.boolean.nullable,
  former_day: pg.text,
  day: pg.text,
  area_before: pg.json<Pick<MarkValues, 'area_total'>>().nullable,
  mark_before: pg.json<Omit<MarkValues, 'at'> & { at: string }>().nullable,
};

/** Moves what each observation added to the sums from its former local day to its present one. */
async function moveCounts(tx: Queries, { id, zone }: MachineInFormerZone): Promise<void> {
  const columns = sql`o.at, o.kind, o.state, o.odometer, o.area_total, o.latitude, o.longitude, o.attributes`;
  const precedingMarkSql = (condition: ReturnType<typeof sql>) => sql`(
    select to_jsonb(p) from (select ${columns} from observations o where o.machine_id = ${id} and o.at <= moved.at
    and (o.at, o.kind) < (moved.at, moved.kind) and ${condition} order by o.at desc, o.kind desc limit 1) p)`;
  let cursor = { at: '-infinity', kind: '' };
  for (;;) {
    const rows = await tx.select(
      movedObservationShape,
      sql`
      with moved as (
        select ${columns}, o.area, ${distanceMarkWhere} as marks_distance,
        (o.at at time zone ${zone}::text)::date::text as former_day,
        (o.at at time zone z.zone)::date::text as day
        from observations o cross join (select ${timeZoneSql(sql`l`)} as zone
          from machines m left join locations l on l.id = m.location_id where m.id = ${id}) z
        where o.machine_id = ${id} and o.at >= ${cursor.at}::timestamptz
        and (o.at, o.kind) > (${cursor.at}::timestamptz, ${cursor.kind}::text)
        and (o.at at time zone ${zone}::text)::date <> (o.at at time zone z.zone)::date
        order by o.at, o.kind limit ${batchSize}::int
      )
      select moved.*,
        case when moved.area_total is not null then ${precedingMarkSql(sql`o.area_total is not null`)} end
          as area_before,
        case when moved.marks_distance then ${precedingMarkSql(distanceMarkWhere)} end as mark_before
      from moved order by moved.at, moved.kind`,
    );
    const countsByDay = new Map<string, DayCount>();
    for (const row of rows) {
      const { area_before, mark_before, area } = row;
      const addition = {
        area: (area ?? 0) + (area_before ? areaStep(area_before, row) : 0),
        distance: mark_before ? distanceStep({ ...mark_before, at: new Date(mark_before.at) }, row) : 0,
        messages: row.kind === 'kept' ? 0 : 1,
      };
      addToDay(countsByDay, row.former_day, addition, -1);
      addToDay(countsByDay, row.day, addition, 1);
    }
    await storeCounts(tx, id, countsByDay);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    cursor = { at: last.at.toISOString(), kind: last.kind };
  }
}

interface DayCount {
  area: number;
  distance: number;
  messages: number;
}

function addToDay(countsByDay: Map<string, DayCount>, day: string, addition: DayCount, sign: 1 | -1): void {
  const { area, distance, messages } = countsByDay.get(day) ?? { area: 0, distance: 0, messages: 0 };
  countsByDay.set(day, {
    area: area + sign * addition.area,
    distance: distance + sign * addition.distance,
    messages: messages + sign * addition.messages,
  });
}

async function storeCounts(tx: Queries, machineId: number, countsByDay: ReadonlyMap<string, DayCount>): Promise<void> {
  const counts = [...countsByDay.values()];
  await tx.rows(sql`
    insert into machine_days as at (machine_id, day, area_m2, distance_m, messages)
    select ${machineId}::int, * from unnest(${sql.param([...countsByDay.keys()])}::date[],
      ${sql.param(counts.map(({ area }) => area))}::float8[],
      ${sql.param(counts.map(({ distance }) => distance))}::float8[],
      ${sql.param(counts.map(({ messages }) => messages))}::int[])
    on conflict (machine_id, day) do update set area_m2 = at.area_m2 + excluded.area_m2,
      distance_m = at.distance_m + excluded.distance_m, messages = at.messages + excluded.messages`);
}
