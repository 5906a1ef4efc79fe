/** Recomputes timelines from the stored observations, and sums from the timelines, to compare with the stored ones. */
import { sql } from 'drizzle-orm';
import type { StateName } from '../../schema/entities/machines';
import type { Queries } from '../../server/db/core/database';
import { pg, type RowOf } from '../../server/db/core/rowShape';
import {
  type Mode,
  offlinePolicyAfter,
  type Protocol,
  quietKinds,
  type Reason,
} from '../../server/telemetry/timeline/observation';
import { type Limit, type Segment, timeline } from '../../server/telemetry/timeline/timeline';

export const seenRowShape = {
  at: pg.timestamptz,
  kind: pg.text,
  state: pg.text.as<StateName>(),
  reason: pg.text.as<Reason>(),
  mode: pg.text.as<Mode>().nullable,
  protocol: pg.text.as<Protocol>(),
};
export type SeenRow = RowOf<typeof seenRowShape>;

/** Timeline of a machine, computed from its stored observations. */
export async function computedTimeline(db: Queries, machine: number, now: Date): Promise<Segment[]> {
  const rows = await db.select(
    seenRowShape,
    sql`select at, kind, state, reason, mode, protocol from observations where machine_id = ${machine} and kind <> all(${sql.param([...quietKinds])}::text[])`,
  );
  const limits = await db.select(
    {
      /** Seconds since 1970. */
      from: pg.double,
      seconds: pg.integer.nullable,
    },
    sql`select extract(epoch from from_at)::float8 as from, seconds from silence_limits where machine_id = ${machine} order by from_at`,
  );
  return timelineOfRows(rows, { now, limits });
}

/** Timeline computed from rows of `observations`. */
export const timelineOfRows = (
  rows: readonly SeenRow[],
  { now, limits }: { now: Date; limits: readonly Limit[] },
): Segment[] =>
  timeline(
    rows.map(({ protocol, ...seen }) => ({ ...seen, ...offlinePolicyAfter({ protocol, reason: seen.reason }) })),
    { now, limits },
  );

/** Stored timeline of a machine. */
export async function storedTimeline(db: Queries, machine: number): Promise<Segment[]> {
  const rows = await db.select(
    {
      /** Seconds since 1970. */
      from: pg.double,
      /** `null`: still open. */
      to: pg.double.nullable,
      state: pg.text.as<StateName>(),
      mode: pg.text.as<Mode>().nullable,
      reason: pg.text.as<Reason>(),
      reason_at: pg.timestamptz,
    },
    sql`
    select extract(epoch from from_at)::float8 as from, extract(epoch from to_at)::float8 as to, state, mode, reason, reason_at
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

/** Stored daily sums of a machine, added up. */
export const storedSums = (db: Queries, machine: number): Promise<Sums | undefined> =>
  db.selectOne(
    sumsShape,
    sql`
    select sum(cleaning)::int as cleaning, sum(charging)::int as charging, sum(parked)::int as parked, sum(online)::int as online, sum(messages)::int as messages,
      sum(area_m2)::float8 as area from machine_days where machine_id = ${machine}`,
  );

/** The same computed from segments, up to the last message, and from observations. */
export async function computedSums(db: Queries, machine: number): Promise<Sums> {
  const seen = await db.selectOne(
    { last: pg.double.nullable, messages: pg.integer, area: pg.double },
    sql`
    select floor(extract(epoch from max(at) filter (where kind <> all(${sql.param([...quietKinds])}::text[]))))::float8 as last, count(*)::int as messages, coalesce(sum(area), 0)::float8 as area from observations where machine_id = ${machine}`,
  );
  const segments = await storedTimeline(db, machine);
  const time = (name: StateName) =>
    segments
      .filter(({ state }) => state === name)
      .reduce((total, { from, to }) => total + Math.max(0, (to ?? seen?.last ?? 0) - from), 0);
  return {
    cleaning: time('Cleaning'),
    charging: time('Charging'),
    parked: time('Parked'),
    online: time('Online'),
    messages: seen?.messages ?? 0,
    area: seen?.area ?? 0,
  };
}
