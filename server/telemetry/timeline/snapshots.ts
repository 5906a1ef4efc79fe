/** Snapshots of machines, and the events for what changed in them. */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { timeZoneSql } from './days';

/** Columns of a snapshot. */
export const snapshotShape = {
  id: pg.integer,
  status: pg.text,
  status_since: pg.timestamptz.nullable,
  mode: pg.text.nullable,
  battery: pg.integer.nullable,
  latitude: pg.double.nullable,
  longitude: pg.double.nullable,
  last_seen: pg.timestamptz.nullable,
  operating_time: pg.integer,
  cleaning_time: pg.integer,
  charging_time: pg.integer,
  teaching_time: pg.integer,
  robotic_time: pg.integer,
  overall_cleaning_time: pg.integer,
  overall_charging_time: pg.integer,
  status_reason: pg.json().nullable,
};

/** SQL: the columns of `snapshotShape` from `snapshotTables`; the reason in the form that `reasons.ts` renders. */
export const snapshotColumns = sql`
  s.id, s.status, s.status_since, s.mode, s.battery, s.latitude, s.longitude, s.last_seen, s.operating_time,
  s.cleaning_time, s.charging_time, s.teaching_time, s.robotic_time,
  m.previous_cleaning_time + s.cleaning_time as overall_cleaning_time,
  m.previous_charging_time + s.charging_time as overall_charging_time,
  case when open.reason is not null then jsonb_build_object('reason', open.reason, 'at', open.reason_at,
    'from', open.from_at, 'zone', ${timeZoneSql(sql`l`)}) end as status_reason`;

/**
 * SQL: machines, their state `s`, location `l` and open segment. The limit makes the planner look the segment up per
 * machine; without statistics, it would otherwise merge with the open segments of all machines.
 */
export const snapshotTables = sql`
  machines_state s join machines m on m.id = s.id left join locations l on l.id = m.location_id
  left join lateral (select * from segments o where o.machine_id = s.id and o.to_at is null limit 1) open on true`;

export type MachineSnapshot = Omit<RowOf<typeof snapshotShape>, 'id'>;
export type Snapshots = ReadonlyMap<number, MachineSnapshot>;

/** Reads the snapshots of machines, by id. */
export async function readSnapshots(tx: Queries, ids: readonly number[]): Promise<Snapshots> {
  if (ids.length === 0) return new Map();
  const rows = await tx.select(
    snapshotShape,
    sql`select ${snapshotColumns} from ${snapshotTables} where s.id = any(${sql.param([...ids])}::int[])`,
  );
  return new Map(rows.map(({ id, ...snapshot }) => [id, snapshot]));
}

/** One event per changed machine, with its changed fields. */
export function diffSnapshots(before: Snapshots, after: Snapshots): LiveEvent[] {
  return [...after].flatMap(([id, snapshot]): LiveEvent[] => {
    const previous: Readonly<Record<string, unknown>> = before.get(id) ?? {};
    const changes = Object.entries(snapshot).filter(([name, value]) => !isEqual(value, previous[name]));
    return changes.length === 0
      ? []
      : [{ entity: 'machines', id, type: 'updated', payload: Object.fromEntries(changes) }];
  });
}

/** Compares scalars first: for most values that is enough, and this runs for every field with every message. */
const isEqual = (value: unknown, previous: unknown): boolean =>
  value === previous || (typeof value === 'object' && JSON.stringify(value) === JSON.stringify(previous));
