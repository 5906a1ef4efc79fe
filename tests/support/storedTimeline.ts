/**
 * Recomputes timelines from the stored observations, and sums from the timelines, for comparison with the stored ones.
 */
import { sql } from 'drizzle-orm';
import type { StateName } from '../../schema/entities/machines';
import type { Queries } from '../../server/db/core/database';
import { pg, type RowOf } from '../../server/db/core/rowShape';
import { areaStep, counterSteps, distanceStep, isDistanceMark } from '../../server/telemetry/timeline/counters';
import { markShape } from '../../server/telemetry/timeline/neighbours';
import {
  type Mode,
  offlinePolicyAfter,
  type Protocol,
  type Reason,
  statelessKinds,
} from '../../server/telemetry/timeline/observation';
import {
  type OfflinePolicyPeriod,
  type Segment,
  timeline,
  toEpochSeconds,
} from '../../server/telemetry/timeline/timeline';
import { clockOf, dayAfter, dayOf, dayStart } from './timeZones';

export const observationRowShape = {
  at: pg.timestamptz,
  kind: pg.text,
  state: pg.text.as<StateName>(),
  reason: pg.text.as<Reason>(),
  mode: pg.text.as<Mode>().nullable,
  protocol: pg.text.as<Protocol>(),
};
export type StoredObservationRow = RowOf<typeof observationRowShape>;

/** Timeline of a machine, computed from its stored observations. */
export async function computeTimeline(db: Queries, machine: number, now: Date): Promise<Segment[]> {
  const rows = await db.select(
    observationRowShape,
    sql`select at, kind, state, reason, mode, protocol from observations where machine_id = ${machine}
      and kind <> all(${sql.param([...statelessKinds])}::text[])`,
  );
  const policies = await db.select(
    {
      /** Seconds since the Unix epoch. */
      from: pg.double,
      seconds: pg.integer.nullable,
    },
    sql`select extract(epoch from from_at)::float8 as from, seconds from silence_limits where machine_id = ${machine}
      order by from_at`,
  );
  return computeTimelineOfRows(rows, { now, policies });
}

/** Timeline computed from rows of `observations`. */
export const computeTimelineOfRows = (
  rows: readonly StoredObservationRow[],
  { now, policies }: { now: Date; policies: readonly OfflinePolicyPeriod[] },
): Segment[] =>
  timeline(
    rows.map(({ protocol, ...row }) => ({ ...row, ...offlinePolicyAfter({ protocol, reason: row.reason }) })),
    { now, policies },
  );

/** Stored timeline of a machine. */
export async function readTimeline(db: Queries, machine: number): Promise<Segment[]> {
  const rows = await db.select(
    {
      /** Seconds since the Unix epoch. */
      from: pg.double,
      /** `null` while the segment is open. */
      to: pg.double.nullable,
      state: pg.text.as<StateName>(),
      mode: pg.text.as<Mode>().nullable,
      reason: pg.text.as<Reason>(),
      reason_at: pg.timestamptz,
    },
    sql`
    select extract(epoch from from_at)::float8 as from, extract(epoch from to_at)::float8 as to, state, mode, reason,
      reason_at
    from segments where machine_id = ${machine} order by from_at`,
  );
  return rows.map(({ reason_at, ...segment }) => ({ ...segment, reasonAt: reason_at.getTime() }));
}

export const sumsShape = {
  cleaning: pg.integer,
  charging: pg.integer,
  parked: pg.integer,
  online: pg.integer,
  messages: pg.integer,
  area: pg.double,
};
export type Sums = RowOf<typeof sumsShape>;

/** Stored daily sums of a machine, added up over all days. */
export const readSums = (db: Queries, machine: number): Promise<Sums | undefined> =>
  db.selectOne(
    sumsShape,
    sql`
    select sum(cleaning)::int as cleaning, sum(charging)::int as charging, sum(parked)::int as parked,
      sum(online)::int as online, sum(messages)::int as messages,
      sum(area_m2)::float8 as area from machine_days where machine_id = ${machine}`,
  );

/** The sums of `readSums`, computed from segments up to the last message, and from observations. */
export async function computeSums(db: Queries, machine: number): Promise<Sums> {
  const observations = await db.selectOne(
    { last: pg.double.nullable, messages: pg.integer, area: pg.double },
    sql`
    select floor(extract(epoch from max(at)
      filter (where kind <> all(${sql.param([...statelessKinds])}::text[]))))::float8
      as last, count(*)::int as messages, coalesce(sum(area), 0)::float8 as area from observations
      where machine_id = ${machine}`,
  );
  const segments = await readTimeline(db, machine);
  const sumSeconds = (name: StateName) =>
    segments
      .filter(({ state }) => state === name)
      .reduce((total, { from, to }) => total + Math.max(0, (to ?? observations?.last ?? 0) - from), 0);
  return {
    cleaning: sumSeconds('Cleaning'),
    charging: sumSeconds('Charging'),
    parked: sumSeconds('Parked'),
    online: sumSeconds('Online'),
    messages: observations?.messages ?? 0,
    area: observations?.area ?? 0,
  };
}

export const dailySumsShape = {
  day: pg.text,
  cleaning: pg.integer,
  charging: pg.integer,
  parked: pg.integer,
  online: pg.integer,
  messages: pg.integer,
  area: pg.double,
  distance: pg.double,
};
export type DailySums = RowOf<typeof dailySumsShape>;

/** Stored daily sums of a machine, without empty days. */
export async function readDailySums(db: Queries, machine: number): Promise<DailySums[]> {
  const days = await db.select(
    dailySumsShape,
    sql`
    select day::text as day, cleaning, charging, parked, online, messages, round(area_m2::numeric, 3)::float8 as area,
      round(distance_m::numeric, 3)::float8 as distance
    from machine_days where machine_id = ${machine} order by day`,
  );
  return days.filter(({ day: _, ...sums }) => Object.values(sums).some((value) => value !== 0));
}

/** The sums of `readDailySums`, computed from segments and observations. Local days are those of `Intl`. */
export async function computeDailySums(db: Queries, machine: number, zone: string): Promise<DailySums[]> {
  const days = new Map<string, DailySums>();
  const sumsOfDay = (day: string): DailySums => {
    const emptySums = { day, cleaning: 0, charging: 0, parked: 0, online: 0, messages: 0, area: 0, distance: 0 };
    const sums = days.get(day) ?? emptySums;
    days.set(day, sums);
    return sums;
  };
  const observations = await db.select(
    { ...markShape, area: pg.double.nullable },
    sql`select at, kind, state, odometer, area_total, latitude, longitude, attributes, area from observations
      where machine_id = ${machine} order by at, kind`,
  );
  const marks = (predicate: (observation: (typeof observations)[number]) => boolean) =>
    observations.filter(predicate).map((observation) => ({ ...observation, isNew: true }));
  for (const contribution of [
    ...observations.map(({ at, area }) => ({ at, area: area ?? 0, distance: 0, messages: 1 })),
    ...counterSteps(
      machine,
      marks(({ area_total }) => area_total !== null),
      areaStep,
      'area',
    ),
    ...counterSteps(machine, marks(isDistanceMark), distanceStep, 'distance'),
  ]) {
    const sums = sumsOfDay(dayOf(clockOf(zone)(contribution.at.getTime())));
    sums.messages += contribution.messages;
    sums.area += contribution.area;
    sums.distance += contribution.distance;
  }
  const lastSecond = Math.max(
    0,
    ...observations.flatMap(({ kind, at }) => (statelessKinds.includes(kind) ? [] : toEpochSeconds(at))),
  );
  for (const { state, from, to } of await readTimeline(db, machine)) {
    if (state === 'Offline') continue;
    const name = ({ Cleaning: 'cleaning', Charging: 'charging', Parked: 'parked', Online: 'online' } as const)[state];
    for (let [start, end] = [from, to ?? lastSecond]; start < end; ) {
      const day = dayOf(clockOf(zone)(start * 1000));
      const pieceEnd = Math.min(end, dayStart(zone, dayAfter(day)) / 1000);
      sumsOfDay(day)[name] += pieceEnd - start;
      start = pieceEnd;
    }
  }
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return [...days.values()]
    .map((sums) => ({ ...sums, area: round(sums.area), distance: round(sums.distance) }))
    .filter(({ day: _, ...sums }) => Object.values(sums).some((value) => value !== 0))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}
