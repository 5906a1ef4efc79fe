/** Reads what ingest needs to know about machines before it stores their messages. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { timeZoneSql } from '../timeline/days';
import { distanceAttributes } from '../timeline/mapDistance';
import type { MarkValues } from '../timeline/neighbours';
import type { Mode, Protocol, Reason, StateKeys } from '../timeline/observation';
import { type MachineSnapshot, snapshotColumns, snapshotShape, snapshotTables } from '../timeline/snapshots';
import type { OfflinePolicyPeriod, Segment } from '../timeline/timeline';
import { type MachineWatch, policiesSql, watchOf } from './machineState';

/** The observation with the latest time, whatever its kind. */
export interface NewestObservation extends MarkValues {
  reason: Reason;
  mode: Mode | null;
  protocol: Protocol;
  /** Null if its state does not follow from keys. */
  state_keys: StateKeys | null;
}

/** A machine before its new messages are stored. */
export interface KnownMachine {
  watch: MachineWatch;
  snapshot: MachineSnapshot;
  /** Time zone of the machine's local days. */
  zone: string;
  /** The open segment, preceded by the one before it if the open one is a silence; empty without observations. */
  segments: readonly Segment[];
  newest: NewestObservation | undefined;
}

const machineShape = {
  ...snapshotShape,
  zone: pg.text,
  observed_at: pg.timestamptz.nullable,
  limits: pg.json<OfflinePolicyPeriod[]>().nullable,
  open_from: pg.double.nullable,
  open_state: pg.text.as<Segment['state']>().nullable,
  open_mode: pg.text.as<Mode>().nullable,
  open_reason: pg.text.as<Reason>().nullable,
  open_reason_at: pg.timestamptz.nullable,
  prior_from: pg.double.nullable,
  prior_state: pg.text.as<Segment['state']>().nullable,
  prior_mode: pg.text.as<Mode>().nullable,
  prior_reason: pg.text.as<Reason>().nullable,
  prior_reason_at: pg.timestamptz.nullable,
  newest_at: pg.timestamptz.nullable,
  newest_kind: pg.text.nullable,
  newest_state: pg.text.as<Segment['state']>().nullable,
  newest_reason: pg.text.as<Reason>().nullable,
  newest_mode: pg.text.as<Mode>().nullable,
  newest_protocol: pg.text.as<Protocol>().nullable,
  newest_state_keys: pg.integer.as<StateKeys>().nullable,
  newest_odometer: pg.double.nullable,
  newest_area_total: pg.double.nullable,
  newest_latitude: pg.double.nullable,
  newest_longitude: pg.double.nullable,
  newest_attributes: pg.json<Record<string, unknown>>().nullable,
};
type MachineRow = RowOf<typeof machineShape>;

/** Returns machines by id, without those that no longer exist. The caller must have locked them. */
export async function readMachines(tx: Queries, ids: readonly number[]): Promise<Map<number, KnownMachine>> {
  const rows = await tx.select(
    machineShape,
    sql`
    select ${snapshotColumns}, ${timeZoneSql(sql`l`)} as zone, w.observed_at, ${policiesSql(sql`s.id`)} as limits,
      extract(epoch from open.from_at)::float8 as open_from, open.state as open_state, open.mode as open_mode,
      open.reason as open_reason, open.reason_at as open_reason_at,
      extract(epoch from prior.from_at)::float8 as prior_from, prior.state as prior_state, prior.mode as prior_mode,
      prior.reason as prior_reason, prior.reason_at as prior_reason_at,
      o.at as newest_at, o.kind as newest_kind, o.state as newest_state, o.reason as newest_reason,
      o.mode as newest_mode, o.protocol as newest_protocol, o.state_keys as newest_state_keys,
      o.odometer as newest_odometer, o.area_total as newest_area_total, o.latitude as newest_latitude,
      o.longitude as newest_longitude, case when o.kind = 'state' and jsonb_exists_any(o.attributes,
        ${sql.param([...distanceAttributes])}::text[]) then o.attributes end as newest_attributes
    from ${snapshotTables}
    left join lateral (select * from machine_watch w where w.machine_id = s.id limit 1) w on true
    left join lateral (select * from segments p where p.machine_id = s.id and open.reason = 'silent'
      and p.to_at = open.from_at and p.from_at < open.from_at order by p.from_at desc limit 1) prior on true
    left join lateral (select * from observations o where o.machine_id = s.id order by o.at desc, o.kind desc limit 1) o
      on true
    where s.id = any(${sql.param([...ids])}::int[])`,
  );
  return new Map(rows.map((row) => [row.id, machineOf(row)]));
}

function machineOf(row: MachineRow): KnownMachine {
  return {
    watch: watchOf(row),
    snapshot: snapshotOf(row),
    zone: row.zone,
    segments: segmentsOf(row),
    newest: newestOf(row),
  };
}

const snapshotNames = Object.keys(snapshotShape).filter((name) => name !== 'id') as (keyof MachineSnapshot)[];
const snapshotOf = (row: MachineRow): MachineSnapshot =>
  Object.fromEntries(snapshotNames.map((name) => [name, row[name]])) as unknown as MachineSnapshot;

function segmentsOf(row: MachineRow): Segment[] {
  const open = segmentOf({
    from: row.open_from,
    to: null,
    state: row.open_state,
    mode: row.open_mode,
    reason: row.open_reason,
    at: row.open_reason_at,
  });
  const prior = segmentOf({
    from: row.prior_from,
    to: row.open_from,
    state: row.prior_state,
    mode: row.prior_mode,
    reason: row.prior_reason,
    at: row.prior_reason_at,
  });
  return [...prior, ...open];
}

interface SegmentColumns {
  from: number | null;
  to: number | null;
  state: Segment['state'] | null;
  mode: Mode | null;
  reason: Reason | null;
  at: Date | null;
}

const segmentOf = ({ from, to, state, mode, reason, at }: SegmentColumns): Segment[] =>
  from === null || state === null || reason === null || at === null
    ? []
    : [{ from, to, state, mode, reason, reasonAt: at.getTime() }];

function newestOf(row: MachineRow): NewestObservation | undefined {
  const { newest_at: at, newest_kind: kind, newest_state: state, newest_reason: reason } = row;
  const { newest_protocol: protocol } = row;
  if (at === null || kind === null || state === null || reason === null || protocol === null) return undefined;
  return {
    at,
    kind,
    state,
    reason,
    mode: row.newest_mode,
    protocol,
    state_keys: row.newest_state_keys,
    odometer: row.newest_odometer,
    area_total: row.newest_area_total,
    latitude: row.newest_latitude,
    longitude: row.newest_longitude,
    attributes: row.newest_attributes,
  };
}
