/** Neighbours of new observations, as needed to rebuild the timeline and the counters around them. */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { StateName } from '../../../schema/entities/machines';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { distanceAttributes } from './mapDistance';
import { type Mode, offlinePolicyAfter, type Protocol, type Reason, statelessKinds } from './observation';
import type { ObservationNeighbourhood, TimelineObservation } from './timeline';

/** SQL condition on the alias `o`: the observation affects the timeline. */
export const affectsTimelineWhere = sql`o.kind <> all(${sql.param([...statelessKinds])}::text[])`;

/** Key of an observation that was just stored. */
export interface StoredObservation {
  machineId: number;
  at: Date;
  kind: string;
}

/** Identifies an observation. */
export const keyOf = ({ machineId, ...observation }: StoredObservation): string =>
  `${machineId} ${keyOnMachine(observation)}`;

/** Identifies an observation among those of its machine. */
export const keyOnMachine = ({ at, kind }: Pick<StoredObservation, 'at' | 'kind'>): string => `${at.getTime()} ${kind}`;

interface ObservationJson {
  at: string;
  kind: string;
  state: StateName;
  reason: Reason;
  mode: Mode | null;
  protocol: Protocol;
}

/**
 * For each second in which observations changed, by machine: the observation in force from then on, and those before
 * and after it. If the second has no observations any more, the one before it remains in force; without one, the second
 * is omitted.
 */
export async function readNeighbours(
  tx: Queries,
  stored: readonly StoredObservation[],
): Promise<Map<number, ObservationNeighbourhood[]>> {
  const observationJson = sql`jsonb_build_object('at', o.at, 'kind', o.kind, 'state', o.state, 'reason', o.reason,
    'mode', o.mode, 'protocol', o.protocol)`;
  const lastObservationSql = (condition: SQL) =>
    sql`(select ${observationJson} from observations o where o.machine_id = changed.machine_id
      and ${affectsTimelineWhere} and ${condition} order by o.at desc, o.kind desc limit 1)`;
  const rows = await tx.select(
    {
      machine_id: pg.integer,
      before: pg.json<ObservationJson>().nullable,
      current: pg.json<ObservationJson>().nullable,
      after: pg.json<ObservationJson>().nullable,
    },
    sql`
    with changed as (
      select distinct machine_id, date_trunc('second', at) as second
      from unnest(${sql.param(stored.map(({ machineId }) => machineId))}::int[],
      ${sql.param(stored.map((observation) => observation.at.toISOString()))}::timestamptz[]) as input(machine_id, at)
    )
    select changed.machine_id, ${lastObservationSql(sql`o.at < changed.second`)} as before,
    ${lastObservationSql(sql`o.at >= changed.second and o.at < changed.second + interval '1 second'`)} as current,
      ${lastObservationSql(sql`o.at >= next_change.second and o.at < next_change.second + interval '1 second'`)}
        as after
    from changed left join lateral (
      select date_trunc('second', o.at) as second from observations o where o.machine_id = changed.machine_id
      and ${affectsTimelineWhere} and o.at >= changed.second + interval '1 second' order by o.at limit 1
    ) next_change on true`,
  );
  const result = new Map<number, ObservationNeighbourhood[]>();
  for (const { machine_id, before, current, after } of rows) {
    const effectiveJson = current ?? before;
    if (!effectiveJson) continue;
    const neighbourhood = {
      before: current && before ? observationOf(before) : undefined,
      observation: observationOf(effectiveJson),
      after: after ? observationOf(after) : undefined,
    };
    addToGroup(result, machine_id, neighbourhood);
  }
  return result;
}

const observationOf = ({ at, kind, state, reason, mode, protocol }: ObservationJson): TimelineObservation => ({
  at: new Date(at),
  kind,
  state,
  reason,
  mode,
  ...offlinePolicyAfter({ protocol, reason }),
});

/** SQL condition on the alias `o`: the observation is a mark of a distance. */
export const distanceMarkWhere = sql`(o.odometer is not null or o.latitude is not null
  or o.kind = 'state' and jsonb_exists_any(o.attributes, ${sql.param([...distanceAttributes])}::text[]))`;

/** Columns of a mark. */
export const markShape = {
  at: pg.timestamptz,
  kind: pg.text,
  state: pg.text.as<StateName>(),
  odometer: pg.double.nullable,
  area_total: pg.double.nullable,
  latitude: pg.double.nullable,
  longitude: pg.double.nullable,
  attributes: pg.json<Record<string, unknown>>().nullable,
};
/** Values of a mark: an observation at which counters and positions are compared. */
export type MarkValues = RowOf<typeof markShape>;
export type CounterMark = MarkValues & { isNew: boolean };

/**
 * Marks around new observations, in order, by machine: every new observation that satisfies `condition`, and the
 * nearest ones before and after it that do. `condition` is on the alias `o`.
 */
export async function readMarksAround(
  tx: Queries,
  stored: readonly StoredObservation[],
  condition: SQL,
): Promise<Map<number, CounterMark[]>> {
  const columns = sql`o.machine_id, o.at, o.kind, o.state, o.odometer, o.area_total, o.latitude, o.longitude,
    o.attributes`;
  const rows = await tx.select(
    { machine_id: pg.integer, ...markShape, is_new: pg.boolean },
    sql`
    with changed as (
      select o.machine_id, o.at, o.kind from unnest(${sql.param(stored.map(({ machineId }) => machineId))}::int[],
      ${sql.param(stored.map((observation) => observation.at.toISOString()))}::timestamptz[],
        ${sql.param(stored.map(({ kind }) => kind))}::text[]) as input(machine_id, at, kind)
      join observations o on o.machine_id = input.machine_id and o.at = input.at and o.kind = input.kind
      where ${condition}
    ), mark as (
      select ${columns} from changed join observations o on o.machine_id = changed.machine_id and o.at = changed.at
        and o.kind = changed.kind
      union select before.* from changed cross join lateral (
        select ${columns} from observations o where o.machine_id = changed.machine_id and o.at <= changed.at
        and (o.at, o.kind) < (changed.at, changed.kind) and ${condition} order by o.at desc, o.kind desc limit 1) before
      union select after.* from changed cross join lateral (
        select ${columns} from observations o where o.machine_id = changed.machine_id and o.at >= changed.at
        and (o.at, o.kind) > (changed.at, changed.kind) and ${condition} order by o.at, o.kind limit 1) after
    )
    select mark.*, exists (select from changed where changed.machine_id = mark.machine_id and changed.at = mark.at
    and changed.kind = mark.kind) as is_new
    from mark order by machine_id, at, kind`,
  );
  const marks = new Map<number, CounterMark[]>();
  for (const { machine_id, is_new, ...mark } of rows) addToGroup(marks, machine_id, { ...mark, isNew: is_new });
  return marks;
}
