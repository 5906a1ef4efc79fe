/**
 * Restores observations for stretches of the timeline that have none, because they are past their retention or were
 * loaded with a demo. A late message in such a stretch must change its own moment only. So the stored segments around
 * it are first turned into equivalent observations (kind `kept`).
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { affectsTimelineWhere } from '../timeline/neighbours';
import { offlineAfterByProtocol } from '../timeline/observation';
import { isoOfSeconds, toEpochSeconds } from '../timeline/timeline';
import type { MachineWatch } from './machineState';
import type { TimedMessage } from './storeMessages';

/** Seconds for which a late message holds before the stored segment continues. */
const lateMessageSeconds = 300;

/** SQL: a protocol whose offline policy leads to the start of the silent segment `a`. */
const silentProtocolSql = sql`case when a.from_at <= date_trunc('second', a.reason_at) +
  ${offlineAfterByProtocol.vda5050}::int * interval '1 second' then 'vda5050' else 'osmand' end`;

/**
 * Joins `any_observation.is_stored`: whether an observation `o` that affects the timeline meets the condition. It is
 * looked up per row: PostgreSQL may hash a plain `not exists` by the machine alone, and then compare every row with all
 * observations of its machine.
 */
const anyObservationJoin = (where: SQL) => sql`cross join lateral (
  select exists (select from observations o where ${where} and ${affectsTimelineWhere} offset 0) as is_stored
) any_observation`;

/**
 * Inserts observations for the segments around late messages, where there are none. Must be called before the messages
 * are stored.
 */
export async function materializeObservationsAround(
  tx: Queries,
  messages: readonly TimedMessage[],
  watches: ReadonlyMap<number, MachineWatch>,
): Promise<void> {
  const lateMessages = messages.filter(
    ({ machineId, at }) => toEpochSeconds(at) < (watches.get(machineId)?.observedSeconds ?? 0),
  );
  if (lateMessages.length === 0) return;
  const ids = sql.param(lateMessages.map(({ machineId }) => machineId));
  const times = sql.param(lateMessages.map(({ at }) => isoOfSeconds(toEpochSeconds(at))));
  await tx.rows(sql`
    with late as (select distinct machine_id, at
    from unnest(${ids}::int[], ${times}::timestamptz[]) as input(machine_id, at)),
    surrounding as (
      select n.machine_id, n.at, s.from_at, s.to_at, s.state, s.mode, s.reason, s.reason_at, coalesce(b.protocol,
      'kept') = 'kept' as is_kept, b.protocol is null as has_no_observation
      from late n
      left join lateral (select * from segments s where s.machine_id = n.machine_id and s.from_at <= n.at
      order by s.from_at desc limit 1) s on true
      left join lateral (
        select o.protocol from observations o where o.machine_id = n.machine_id and ${affectsTimelineWhere}
        and o.at < n.at + interval '1 second'
          and o.at >= case s.state when 'Offline' then least(s.from_at, s.reason_at) else s.from_at end
          order by o.at desc, o.kind desc limit 1) b on true
    ), starting as (
      select machine_id, from_at as at, 'kept' as protocol, state, reason, mode from surrounding
      where has_no_observation and (state <> 'Offline' or reason <> 'silent')
      union all select a.machine_id, a.reason_at, ${silentProtocolSql}, p.state, p.reason, p.mode from surrounding a
        join segments p on p.machine_id = a.machine_id and p.to_at = a.from_at and p.state <> 'Offline'
        and p.from_at <= a.reason_at
        where a.has_no_observation and a.state = 'Offline' and a.reason = 'silent'
    ), following as (
      select a.machine_id, a.at as after, f.* from surrounding a cross join lateral (
        select a.at + ${lateMessageSeconds}::int * interval '1 second' as at, a.state, a.reason, a.mode
        where a.is_kept and a.state <> 'Offline'
        and a.at + ${lateMessageSeconds}::int * interval '1 second' < coalesce(a.to_at, 'infinity')
        union all (select s.from_at, s.state, s.reason, s.mode from segments s where s.machine_id = a.machine_id
        and s.from_at > a.at and s.state <> 'Offline' order by s.from_at limit 1)
        order by at limit 1) f
    )
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, mode)
    select machine_id, at, 'kept', at, protocol, state, reason, mode from starting
    union select f.machine_id, f.at, 'kept', f.at, 'kept', f.state, f.reason, f.mode from following f
    ${anyObservationJoin(sql`o.machine_id = f.machine_id and o.at >= f.after + interval '1 second'
      and o.at < f.at + interval '1 second'`)}
    where not any_observation.is_stored
    on conflict do nothing`);
}

/** Inserts an observation for the last contact of machines that have only a segment for it. */
export async function materializeLastObservation(tx: Queries, machineIds: readonly number[]): Promise<void> {
  await tx.rows(sql`
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, mode)
    select w.machine_id, w.observed_at, 'kept', w.observed_at, 'osmand', s.state, s.reason, s.mode from machine_watch w
    join segments s on s.machine_id = w.machine_id and s.from_at <= w.observed_at and (s.to_at > w.observed_at
    or s.to_at is null)
    ${anyObservationJoin(sql`o.machine_id = w.machine_id and o.at >= date_trunc('second', w.observed_at)`)}
    where w.machine_id = any(${sql.param([...machineIds])}::int[]) and s.state <> 'Offline'
      and not any_observation.is_stored
    on conflict do nothing`);
}
