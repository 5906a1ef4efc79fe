/** Stores appended messages, with one statement for the common case of all machines. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pipeline } from '../../db/core/pipeline';
import { addToDays } from '../timeline/days';
import { loadLocalDays } from '../timeline/localDays';
import { storeSegments } from '../timeline/segments';
import { type MachineSnapshot, readSnapshots, type Snapshots } from '../timeline/snapshots';
import { diffSegments } from '../timeline/timeline';
import { type Append, type AppendPatch, lastInstantOf, planAppend } from './planAppends';

/** Stores the consequences of appends. Returns the snapshots afterwards. */
export async function storeAppends(tx: Queries, appends: readonly Append[], now: Date): Promise<Snapshots> {
  if (appends.length === 0) return new Map();
  await loadLocalDays(tx, appends.map(lastInstantOf));
  const plans = appends.map((append) => planAppend(append, now));
  const diffs = plans.flatMap(({ change }) =>
    change ? [{ machineId: change.machineId, ...diffSegments(change.stored, change.segments) }] : [],
  );
  const multiDayPlans = plans.filter(({ patch }) => patch.day === undefined);
  const rereadIds = new Set([
    ...diffs.filter(({ added }) => added.length > 0).map(({ machineId }) => machineId),
    ...multiDayPlans.map(({ patch }) => patch.id),
  ]);
  const [, , , snapshots] = await pipeline([
    storeSegments(tx, diffs),
    writePatches(
      tx,
      plans.map(({ patch }) => patch),
    ),
    addToDays(
      tx,
      multiDayPlans.flatMap(({ intervals }) => intervals),
      multiDayPlans.flatMap(({ counts }) => counts),
    ),
    readSnapshots(tx, [...rereadIds]),
  ]);
  const changedPlans = plans.filter(({ patch }) => !rereadIds.has(patch.id));
  return new Map([
    ...snapshots,
    ...changedPlans.map(({ patch, machine }) => [patch.id, snapshotAfter(machine.snapshot, patch)] as const),
  ]);
}

/** Computes what `readSnapshots` would return if the open segment has not changed. */
function snapshotAfter(before: MachineSnapshot, patch: AppendPatch): MachineSnapshot {
  const { cleaning = 0, charging = 0, online = 0, robotic = 0, teaching = 0 } = patch;
  return {
    ...before,
    battery: patch.battery ?? before.battery,
    latitude: patch.latitude ?? before.latitude,
    longitude: patch.longitude ?? before.longitude,
    last_seen: patch.seen_at === undefined ? before.last_seen : new Date(patch.seen_at),
    operating_time: before.operating_time + cleaning + online,
    cleaning_time: before.cleaning_time + cleaning,
    charging_time: before.charging_time + charging,
    teaching_time: before.teaching_time + teaching,
    robotic_time: before.robotic_time + robotic,
    overall_cleaning_time: before.overall_cleaning_time + cleaning,
    overall_charging_time: before.overall_charging_time + charging,
  };
}

/** Columns of `machine_days`; absent from a patch where they are 0. */
const sumColumns = sql.raw(
  ['cleaning', 'charging', 'parked', 'online', 'robotic', 'manual', 'teaching', 'area_m2', 'distance_m', 'messages']
    .map((name) => `coalesce(${name}, 0) as ${name}`)
    .join(', '),
);

const writePatches = (tx: Queries, patches: readonly AppendPatch[]) =>
  tx.rows(sql`
    with patch as materialized (
      select id, day, status, status_since, mode, observed_at, silent_at, seen_at, battery, latitude, longitude,
        ${sumColumns}
      from json_to_recordset(${JSON.stringify(patches)}::text::json) as p(id int, day date, status text,
        status_since timestamptz, mode text, observed_at timestamptz, silent_at timestamptz, seen_at timestamptz,
        battery int, latitude float8, longitude float8, cleaning int, charging int, parked int, online int,
        robotic int, manual int, teaching int, area_m2 float8, distance_m float8, messages int)
    ), watched as (
      insert into machine_watch as w (machine_id, observed_at, silent_at) select id, observed_at, silent_at from patch
      where observed_at is not null order by id
      on conflict (machine_id) do update set observed_at = excluded.observed_at, silent_at = excluded.silent_at
    ), counted as (
      insert into machine_days as d (machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching,
        area_m2, distance_m, messages)
      select id, day, cleaning, charging, parked, online, robotic, manual, teaching, area_m2, distance_m, messages
      from patch where day is not null order by id
      on conflict (machine_id, day) do update set cleaning = d.cleaning + excluded.cleaning,
        charging = d.charging + excluded.charging, parked = d.parked + excluded.parked,
        online = d.online + excluded.online, robotic = d.robotic + excluded.robotic,
        manual = d.manual + excluded.manual, teaching = d.teaching + excluded.teaching,
        area_m2 = d.area_m2 + excluded.area_m2, distance_m = d.distance_m + excluded.distance_m,
        messages = d.messages + excluded.messages
    )
    update machines_state s set status = coalesce(p.status, s.status),
      status_since = coalesce(p.status_since, s.status_since),
      mode = case when p.status is null then s.mode else p.mode end, battery = coalesce(p.battery, s.battery),
      latitude = coalesce(p.latitude, s.latitude), longitude = coalesce(p.longitude, s.longitude),
      last_seen = greatest(s.last_seen, p.seen_at), cleaning_time = s.cleaning_time + p.cleaning,
      charging_time = s.charging_time + p.charging, operating_time = s.operating_time + p.cleaning + p.online,
      robotic_time = s.robotic_time + p.robotic, teaching_time = s.teaching_time + p.teaching
    from patch p where s.id = p.id`);
