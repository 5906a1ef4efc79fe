/** Maintains the machine state row; only newer messages update it. */

import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pipeline } from '../../db/core/pipeline';
import { pg } from '../../db/core/rowShape';
import type { TimelineChange } from '../timeline/intervalDelta';
import { lockMachines } from '../timeline/lockMachines';
import { affectsTimelineWhere } from '../timeline/neighbours';
import { offlinePolicyAfter, type Protocol, type Reason, statelessKinds } from '../timeline/observation';
import { isoOfSeconds, type OfflinePolicyPeriod, offlineAt, type Segment, toEpochSeconds } from '../timeline/timeline';
import type { TimedMessage } from './storeMessages';

export interface MachineWatch {
  /** Time of the newest observation that affects the timeline, in seconds since 1970; 0 if there is none. */
  observedSeconds: number;
  /** Time of the newest observation of any kind. */
  lastSeen: Date;
  /** Offline policies, ordered by their start. */
  policies: readonly OfflinePolicyPeriod[];
}

/** SQL: the offline policies of a machine, to read as `pg.json<OfflinePolicyPeriod[]>().nullable`. */
export const policiesSql = (machineId: SQL): SQL => sql`
  (select jsonb_agg(jsonb_build_object('from', extract(epoch from l.from_at), 'seconds', l.seconds) order by l.from_at)
    from silence_limits l where l.machine_id = ${machineId})`;

/** Locks machines. Returns their last observations and offline policies. */
export async function lockWatches(tx: Queries, machineIds: readonly number[]): Promise<Map<number, MachineWatch>> {
  const read = () =>
    tx.select(
      {
        machine_id: pg.integer,
        observed_at: pg.timestamptz.nullable,
        last_seen: pg.timestamptz.nullable,
        limits: pg.json<OfflinePolicyPeriod[]>().nullable,
      },
      sql`
      select g.machine_id, w.observed_at, s.last_seen, ${policiesSql(sql`g.machine_id`)} as limits
      from unnest(${sql.param([...machineIds])}::int[]) as g(machine_id)
      left join machine_watch w on w.machine_id = g.machine_id
      left join machines_state s on s.id = g.machine_id`,
    );
  const [, rows] = await pipeline([lockMachines(tx, machineIds), read()]);
  return new Map(rows.map(({ machine_id, ...watch }) => [machine_id, watchOf(watch)]));
}

/** Builds the watch from its columns. */
export const watchOf = (row: {
  observed_at: Date | null;
  last_seen: Date | null;
  limits: OfflinePolicyPeriod[] | null;
}): MachineWatch => ({
  observedSeconds: row.observed_at ? toEpochSeconds(row.observed_at) : 0,
  lastSeen: row.last_seen ?? new Date(0),
  policies: row.limits ?? [],
});

/** Default for machines without observations. */
export const neverSeen: MachineWatch = { observedSeconds: 0, lastSeen: new Date(0), policies: [] };

export interface StatePatch {
  id: number;
  /** Undefined if the messages say nothing about the state; status and mode then stay. */
  status: string | undefined;
  status_since: string | undefined;
  mode: string | undefined;
  observed_at: string | undefined;
  silent_at: string | undefined;
  seen_at: string | undefined;
  battery: number | undefined;
  latitude: number | undefined;
  longitude: number | undefined;
}

/**
 * Writes the changed state. `newMessages` are those of all machines, including machines whose timeline did not change.
 */
export async function updateState(
  tx: Queries,
  {
    changes,
    newMessages,
    watches,
  }: {
    changes: readonly TimelineChange[];
    newMessages: readonly TimedMessage[];
    watches: ReadonlyMap<number, MachineWatch>;
  },
): Promise<void> {
  // A change in the past ends with a closed segment and does not affect the state.
  const openSegments = new Map(
    changes.map(({ machineId, segments }) => [machineId, segments.findLast(({ to }) => to === null)]),
  );
  const patches = [...new Set(newMessages.map(({ machineId }) => machineId))].map((machineId): StatePatch => {
    const openSegment = openSegments.get(machineId);
    const { observedSeconds, policies } = watches.get(machineId) ?? neverSeen;
    const newer = newMessages.filter(
      (message) => message.machineId === machineId && toEpochSeconds(message.at) >= observedSeconds,
    );
    return {
      id: machineId,
      status: openSegment?.state,
      status_since: openSegment && isoOfSeconds(openSegment.from),
      mode: openSegment?.mode ?? undefined,
      ...latestValues(newer, openSegment, policies),
    };
  });
  await writePatches(tx, patches);
}

/** Returns the latest values, each from the last message that has it. */
export function latestValues(
  messages: readonly TimedMessage[],
  openSegment: Segment | undefined,
  policies: readonly OfflinePolicyPeriod[],
) {
  const sortedMessages = [...messages].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || (a.message.kind < b.message.kind ? -1 : 1),
  );
  const lastStateful = openSegment && sortedMessages.findLast(({ message }) => !statelessKinds.includes(message.kind));
  const position = sortedMessages.findLast(({ message }) => message.position)?.message.position;
  const policy =
    lastStateful && openSegment.state !== 'Offline'
      ? offlinePolicyAfter({ protocol: lastStateful.protocol, reason: lastStateful.message.reason })
      : undefined;
  return {
    observed_at: lastStateful?.at.toISOString(),
    silent_at:
      lastStateful && policy && isoOfSeconds(offlineAt({ at: lastStateful.at, ...policy }, undefined, policies)),
    seen_at: sortedMessages.at(-1)?.at.toISOString(),
    battery: sortedMessages.findLast(({ message }) => message.battery !== null)?.message.battery ?? undefined,
    latitude: position?.latitude,
    longitude: position?.longitude,
  };
}

async function writePatches(tx: Queries, patches: readonly StatePatch[]): Promise<void> {
  if (patches.length === 0) return;
  const rows = sql`json_to_recordset(${JSON.stringify(patches)}::text::json) as p(id int, status text,
    status_since timestamptz, mode text, observed_at timestamptz,
    silent_at timestamptz, seen_at timestamptz, battery int, latitude float8, longitude float8)`;
  const watchUpdate = tx.rows(sql`
    insert into machine_watch as at (machine_id, observed_at, silent_at) select id, observed_at, silent_at from ${rows}
    where observed_at is not null order by id
    on conflict (machine_id) do update set observed_at = greatest(at.observed_at, excluded.observed_at),
    silent_at = excluded.silent_at`);
  const stateUpdate = tx.rows(sql`
    update machines_state s set status = coalesce(p.status, s.status), status_since = coalesce(p.status_since,
    s.status_since),
      mode = case when p.status is null then s.mode else p.mode end, battery = coalesce(p.battery, s.battery),
      latitude = coalesce(p.latitude, s.latitude), longitude = coalesce(p.longitude, s.longitude),
      last_seen = greatest(s.last_seen, p.seen_at)
    from ${rows} where s.id = p.id`);
  await pipeline([watchUpdate, stateUpdate]);
}

/**
 * Updates battery and position after messages that are not the newest. Late messages change a value only if it is still
 * missing or if they belong to the second of the newest observation. The value then comes from the last observation
 * that has one.
 */
export async function updateMeasures(
  tx: Queries,
  messages: readonly TimedMessage[],
  watches: ReadonlyMap<number, MachineWatch>,
): Promise<void> {
  const measures = messages.flatMap(({ machineId, at, message: { battery, position } }) => {
    const { lastSeen, observedSeconds } = watches.get(machineId) ?? neverSeen;
    if (at > lastSeen || (battery === null && !position)) return [];
    return [{ id: machineId, at, is_present: toEpochSeconds(at) >= observedSeconds }];
  });
  if (measures.length === 0) return;
  const lastValueSql = (columns: SQL, condition: SQL) => sql`
    left join lateral (select ${columns} from observations o where o.machine_id = g.id and ${condition} and o.at >= g.at
    order by o.at desc, o.kind desc limit 1)`;
  await tx.rows(sql`
    update machines_state s set
      battery = case when g.is_present then coalesce(b.battery, s.battery) else coalesce(s.battery, b.battery) end,
      latitude = case when g.is_present or s.latitude is null then coalesce(p.latitude, s.latitude) else s.latitude end,
      longitude = case when g.is_present or s.latitude is null then coalesce(p.longitude, s.longitude)
        else s.longitude end
    from (select id, min(at) as at, bool_and(is_present) as is_present
      from json_to_recordset(${JSON.stringify(measures)}::text::json) as r(id int, at timestamptz, is_present boolean)
      group by id) g
    ${lastValueSql(sql`o.battery`, sql`o.battery is not null`)} b on true
    ${lastValueSql(sql`o.latitude, o.longitude`, sql`o.latitude is not null`)} p on true
    where s.id = g.id`);
}

/** Recomputes the state from all observations. Its times may move backwards after observations were deleted. */
export async function rebuildState(
  tx: Queries,
  machineId: number,
  policies: readonly OfflinePolicyPeriod[],
): Promise<void> {
  const latestSql = (column: SQL) =>
    sql`(select ${column} from observations o where o.machine_id = ${machineId} and ${column} is not null
      order by o.at desc, o.kind desc limit 1)`;
  const lastObservation = await tx.selectOne(
    { at: pg.timestamptz, protocol: pg.text.as<Protocol>(), reason: pg.text.as<Reason>() },
    sql`select at, protocol, reason from observations o where machine_id = ${machineId} and ${affectsTimelineWhere}
      order by at desc, kind desc limit 1`,
  );
  const silentAt = lastObservation
    ? isoOfSeconds(offlineAt({ at: lastObservation.at, ...offlinePolicyAfter(lastObservation) }, undefined, policies))
    : null;
  await tx.rows(sql`
    update machine_watch set
      observed_at = coalesce(${lastObservation?.at.toISOString() ?? null}::timestamptz, observed_at),
      silent_at = case when exists (select from segments s where s.machine_id = ${machineId} and s.to_at is null
      and s.state <> 'Offline') then ${silentAt}::timestamptz end
    where machine_id = ${machineId}`);
  await tx.rows(sql`
    update machines_state s set status = coalesce(open.state, 'Offline'), status_since = open.from_at, mode = open.mode,
      battery = coalesce(${latestSql(sql`o.battery`)}, s.battery), latitude = coalesce(${latestSql(sql`o.latitude`)},
      s.latitude),
      longitude = coalesce(${latestSql(sql`o.longitude`)}, s.longitude), last_seen = coalesce(${latestSql(sql`o.at`)},
      s.last_seen)
    from (select) single_row left join segments open on open.machine_id = ${machineId} and open.to_at is null
    where s.id = ${machineId}`);
}
