/** What is known of a machine now: written to its side table. Older messages do not move it backwards. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/database';
import { type Protocol, silenceLimits } from './observation';
import type { Told } from './pieces';
import type { Timed } from './store';
import { type Segment, second } from './timeline';

export interface Watched {
  /** Time of the newest observation, in seconds since 1970; 0: it never reported. */
  observed: number;
}

/** Locks the machines against others who tell their timelines, in order, and says how far they have been heard. */
export async function watched(tx: Queries, machineIds: readonly number[]): Promise<Map<number, Watched>> {
  const ids = sql`${sql.param([...machineIds])}::int[]`;
  await tx.rows(sql`select id from machines_state where id = any(${ids}) order by id for update`);
  const rows = await tx.rows<{ machine_id: number; observed_at: Date }>(sql`select machine_id, observed_at from machine_watch where machine_id = any(${ids})`);
  return new Map(rows.map(({ machine_id, observed_at }) => [machine_id, { observed: second(observed_at) }]));
}

interface Present {
  id: number;
  status: string;
  status_since: string;
  mode: string | null;
  observed_at: string | null;
  silent_at: string | null;
  battery: number | null;
  latitude: number | null;
  longitude: number | null;
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Writes what has changed. */
export async function showPresent(
  tx: Queries,
  { told, fresh, before }: { told: readonly Told[]; fresh: readonly Timed[]; before: ReadonlyMap<number, Watched> },
): Promise<void> {
  const present = told.flatMap(({ machineId, segments }): Present[] => {
    const open = segments.at(-1);
    if (open?.to !== null) return [];
    const newer = fresh.filter((one) => one.machineId === machineId && second(one.at) >= (before.get(machineId)?.observed ?? 0));
    return [{ id: machineId, status: open.state, status_since: iso(open.from), mode: open.mode, ...heardIn(newer, open) }];
  });
  await write(tx, present);
}

/** The newest of what is known, each value from the last message that held it. */
function heardIn(messages: readonly Timed[], open: Segment) {
  const inOrder = [...messages].sort((a, b) => a.at.getTime() - b.at.getTime());
  const last = inOrder.at(-1);
  const placed = inOrder.findLast(({ message }) => message.position)?.message.position;
  const silent = last && open.state !== 'Offline' ? iso(second(last.at) + silenceLimits[last.protocol as Protocol]) : null;
  return {
    observed_at: last ? last.at.toISOString() : null,
    silent_at: silent,
    battery: inOrder.findLast(({ message }) => message.battery !== null)?.message.battery ?? null,
    latitude: placed?.latitude ?? null,
    longitude: placed?.longitude ?? null,
  };
}

async function write(tx: Queries, present: readonly Present[]): Promise<void> {
  if (present.length === 0) return;
  const rows = sql`jsonb_to_recordset(${JSON.stringify(present)}::text::jsonb) as p(id int, status text, status_since timestamptz, mode text, observed_at timestamptz,
    silent_at timestamptz, battery int, latitude float8, longitude float8)`;
  await tx.rows(sql`
    insert into machine_watch as at (machine_id, observed_at, silent_at) select id, observed_at, silent_at from ${rows} where observed_at is not null order by id
    on conflict (machine_id) do update set observed_at = greatest(at.observed_at, excluded.observed_at), silent_at = excluded.silent_at`);
  await tx.rows(sql`
    update machines_state s set status = p.status, status_since = p.status_since, mode = p.mode, battery = coalesce(p.battery, s.battery),
      latitude = coalesce(p.latitude, s.latitude), longitude = coalesce(p.longitude, s.longitude), last_seen = greatest(s.last_seen, p.observed_at)
    from ${rows} where s.id = p.id`);
}

/** Errors that machines report, and clocks that are not believed. */
export async function logTrouble(tx: Queries, fresh: readonly Timed[]): Promise<void> {
  const rows = fresh.flatMap(({ machineId, at, toldAt, message }) => [
    ...(message.error === null ? [] : [{ machine_id: machineId, at, level: 'error', kind: 'error', code: message.error, message: message.message }]),
    ...(toldAt ? [{ machine_id: machineId, at, level: 'warning', kind: 'clock', told_at: storableTime(toldAt) }] : []),
  ]);
  if (rows.length === 0) return;
  await tx.rows(sql`
    insert into machine_logs (machine_id, at, level, kind, code, message, told_at)
    select machine_id, at, level, kind, code, message, told_at from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(
      machine_id int, at timestamptz, level text, kind text, code text, message text, told_at timestamptz)`);
}

/** Clocks can be further off than the database counts. */
const storableTime = (at: Date) => (Math.abs(at.getTime()) < 6.2e13 ? at.toISOString() : null);
