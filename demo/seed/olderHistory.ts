/**
 * Loads the older history of the demo and the tracks of its machines: in small batches while the server runs, so that
 * nobody has to wait, or all at once. The data itself shows what is missing, so the work resumes after a crash, and
 * several processes may share it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { tryAdvisoryLock } from '../../server/db/core/tryAdvisoryLock';
import { refreshService } from '../../server/features/service/refreshService';
import { daySumsSql, timeZoneSql } from '../../server/telemetry/timeline/days';
import { withBareTables } from './load';
import { seedTracks } from './seedCurrentState';
import { seedServiceEntries } from './service';
import { insertSegmentsSql, shiftEventsSql, shiftHoursSql, splitAtNightsSql } from './shifts';

/** Days of history that are loaded before the first request. */
export const recentDays = 3;
/** Total days of history; a large demo has fewer. */
export const historyDays = (machines: number): number =>
  Math.min(90, Math.max(7, Math.round((90 * 6000) / Math.max(1, machines))));

export interface OlderHistoryOptions {
  seed?: number;
  /** Machines per batch. */
  machines?: number;
  /** Id of the last machine of the previous batch; the search continues after it. */
  after?: number;
}

/**
 * Adds the older history of some machines. Returns their ids in order; empty if no machine lacks its history, or if
 * another process is doing the work.
 */
export function seedOlderHistoryBatch(
  db: Database,
  { seed = 1, machines = 40, after }: OlderHistoryOptions = {},
): Promise<number[]> {
  return db.transaction(async (tx) => {
    if (!(await tryAdvisoryLock(tx, 'demoHistory'))) return [];
    const olderDays = await readOlderDays(tx);
    const ids = await machinesWithoutHistory(tx, olderDays, { machines, after });
    await addHistory(tx, { seed, olderDays, ids });
    // By the old statistics, the older days have no rows, so a report would read all of them for each machine.
    if (after === undefined) await tx.rows(sql`analyze machine_days, segments`);
    return ids;
  });
}

/** Adds the older history to each of these machines that lacks it. */
export async function seedMachineHistory(
  tx: Queries,
  { seed, ids }: { seed: number; ids: readonly number[] },
): Promise<void> {
  const olderDays = await readOlderDays(tx);
  await addHistory(tx, { seed, olderDays, ids: await machinesWithoutHistory(tx, olderDays, { candidateIds: ids }) });
}

async function addHistory(tx: Queries, { seed, olderDays, ids }: HistoryContext): Promise<void> {
  if (ids.length === 0) return;
  await tx.rows(
    sql`select id from machines_state where id = any(${sql.param([...ids])}::int[]) order by id for update`,
  );
  await insertOlderHistory(tx, { seed, olderDays, ids });
  await seedTracks(tx, ids);
  await seedServiceEntries(tx, { seed, ids });
  await refreshService(tx, ids, new Date());
}

/** Machines per statement when everything is loaded at once; statements must end within the database's time limit. */
const machinesPerStatement = 20_000;

/** Adds the older history to every machine that lacks it, in a transaction with exclusive use of the database. */
export async function seedOlderHistory(tx: Queries, { seed, now }: { seed: number; now: Date }): Promise<void> {
  const olderDays = await readOlderDays(tx);
  const machines = await machinesWithoutHistory(tx, olderDays);
  const batches = Array.from({ length: Math.ceil(machines.length / machinesPerStatement) }, (_, nth) =>
    machines.slice(nth * machinesPerStatement, (nth + 1) * machinesPerStatement),
  );
  for (const ids of batches) await insertOlderHistory(tx, { seed, olderDays, ids });
  await seedTracks(tx, machines);
  await withBareTables(tx, ['service_entries'], () => seedServiceEntries(tx, { seed, ids: machines }));
  // The planner has no statistics about the rows that were just inserted.
  await tx.rows(sql`analyze service_entries, machine_days`);
  for (const ids of batches) await refreshService(tx, ids, now);
}

/** Whether any machine lacks its older history. */
export async function lacksHistory(db: Queries): Promise<boolean> {
  return (await machinesWithoutHistory(db, await readOlderDays(db), { machines: 1 })).length > 0;
}

async function readOlderDays(db: Queries): Promise<number> {
  const row = await db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from machines`);
  return historyDays(row?.n ?? 0) - recentDays;
}

interface HistoryContext {
  seed: number;
  olderDays: number;
  ids: readonly number[];
}

/**
 * Returns machines whose first segment begins later than it should, unless that segment comes from a device message.
 */
async function machinesWithoutHistory(
  db: Queries,
  olderDays: number,
  { machines, after = 0, candidateIds }: OlderHistoryOptions & { candidateIds?: readonly number[] } = {},
): Promise<number[]> {
  const rows = await db.select(
    { id: pg.integer },
    sql`
    select m.id from machines m
    cross join lateral (select from_at from segments where machine_id = m.id order by from_at limit 1) first
    where m.id > ${after}::int${candidateIds ? sql` and m.id = any(${sql.param([...candidateIds])}::int[])` : sql``}
      and first.from_at > greatest(m.created_at + interval '1 day', now() - ${olderDays}::int * interval '1 day')
      and not exists (select from observations o where o.machine_id = m.id and o.at >= first.from_at
      and o.at < first.from_at + interval '1 second' and o.raw_id is not null)
    order by m.id limit ${machines ?? null}::int`,
  );
  return rows.map(({ id }) => id);
}

async function insertOlderHistory(tx: Queries, { seed, olderDays, ids }: HistoryContext): Promise<void> {
  const firstSegments = await tx.select(
    { machine_id: pg.integer, at: pg.text },
    sql`select machine_id, min(from_at)::text as at from segments where machine_id = any(${sql.param([...ids])}::int[])
      group by machine_id`,
  );
  const boundary = sql`unnest(${sql.param(firstSegments.map(({ machine_id }) => machine_id))}::int[],
    ${sql.param(firstSegments.map(({ at }) => at))}::timestamptz[]) as b(machine_id, at)`;
  await tx.rows(sql`
    with machine as (
      select m.id, z.zone, date_trunc('day', b.at at time zone z.zone) as day, ${shiftHoursSql(seed)} as shift,
      ${recentDays}::int as counted, b.at as until, null::timestamptz as vanished,
        greatest(date_trunc('second', m.created_at), b.at - ${olderDays}::int * interval '1 day') as begin
      from ${boundary} join machines m on m.id = b.machine_id left join locations l on l.id = m.location_id
      cross join lateral (select ${timeZoneSql(sql`l`)} as zone) z
    ), ${shiftEventsSql(seed, sql`generate_series(1, ${olderDays}::int)`)}
    ${insertSegmentsSql} where at < until`);
  await tx.rows(sql`
    with piece as (
      select s.machine_id, s.from_at, s.to_at, s.state, s.mode, 1 as sign from segments s
      join ${boundary} on b.machine_id = s.machine_id and s.from_at < b.at where s.state <> 'Offline'
    ), sums as (
      insert into machine_days as at (machine_id, day, cleaning, charging, parked, online, robotic, manual, teaching,
      area_m2, distance_m, messages)
      select day.*, ${dayWorkSql(sql`day`)} from (select machine_id, day, ${daySumsSql}
      from (${splitAtNightsSql(sql`piece`)}) cut group by machine_id, day) day
      on conflict (machine_id, day) do update set cleaning = at.cleaning + excluded.cleaning,
      charging = at.charging + excluded.charging,
        parked = at.parked + excluded.parked, online = at.online + excluded.online,
        robotic = at.robotic + excluded.robotic, manual = at.manual + excluded.manual,
        teaching = at.teaching + excluded.teaching, area_m2 = at.area_m2 + excluded.area_m2,
        distance_m = at.distance_m + excluded.distance_m,
        messages = at.messages + excluded.messages
    )
    update machines_state s set cleaning_time = s.cleaning_time + p.cleaning, charging_time = s.charging_time +
    p.charging,
      operating_time = s.operating_time + p.cleaning + p.online, robotic_time = s.robotic_time + p.robotic,
      teaching_time = s.teaching_time + p.teaching
    from (select machine_id, ${daySumsSql} from (select machine_id, state, mode, extract(epoch
    from to_at - from_at)::int as seconds from piece) whole group by machine_id) p
    where s.id = p.machine_id`);
  // Merges two Parked segments that meet where the older history joins the recent one.
  await tx.rows(sql`
    with seam as (
      delete from segments s using ${boundary}, segments before
      where s.machine_id = b.machine_id and s.from_at = b.at and s.state = 'Parked' and before.machine_id = b.machine_id
      and before.to_at = b.at and before.state = 'Parked'
      returning s.machine_id, before.from_at, s.to_at
    )
    update segments s set to_at = seam.to_at from seam where s.machine_id = seam.machine_id
    and s.from_at = seam.from_at`);
}

/** SQL: square metres, metres and messages of a demo day. */
export const dayWorkSql = (
  day: SQL,
): SQL => sql`round(${day}.cleaning * (0.3 + (${day}.machine_id % 7) * 0.15)), round(${day}.cleaning * 0.7),
  (${day}.cleaning / 60 + (${day}.charging + ${day}.parked) / 480)::int`;
