/** Compares the messages that devices sent with the database, which is read by a separate connection. */
import postgres from 'postgres';
import { areaPerMessage, type FaultLoad, type SentMessage } from './faultLoad';

const keyOf = ({ machine, at }: Pick<SentMessage, 'machine' | 'at'>) => `${machine} ${at}`;

export interface StoredCount {
  acknowledged: number;
  lost: number;
  /** Number of duplicates: rows or sums in excess of one per message. */
  duplicates: number;
  /** Number of stored messages that were never sent. */
  unexpected: number;
}

/** Runs queries on a connection of their own. */
async function query<T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const reader = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    return await run(reader);
  } finally {
    await reader.end();
  }
}

/** Keys of the stored observations of these machines since a time, with the number of rows per key. */
const readStoredCounts = (url: string, machines: readonly number[], since: number): Promise<Map<string, number>> =>
  query(url, async (sql) => {
    const rows = await sql<{ machine: number; at: string; rows: number }[]>`
      select machine_id as machine, (extract(epoch from at) * 1000)::bigint::text as at, count(*)::int as rows
      from observations where machine_id = any(${[...machines]}::int[]) and at >= ${new Date(since)} group by 1, 2`;
    return new Map(rows.map(({ machine, at, rows: count }) => [`${machine} ${at}`, count]));
  });

/** Returns the messages that are not stored. */
export async function findMissing(url: string, messages: readonly SentMessage[]): Promise<SentMessage[]> {
  if (messages.length === 0) return [];
  const machines = [...new Set(messages.map(({ machine }) => machine))];
  const storedCounts = await readStoredCounts(url, machines, Math.min(...messages.map(({ at }) => at)));
  return messages.filter((message) => !storedCounts.has(keyOf(message)));
}

/** Compares the rows and the daily sums with what was sent. */
export async function countStored(url: string, loads: readonly FaultLoad[]): Promise<StoredCount> {
  const httpMessages = loads.flatMap((load) => load.sentOverHttp);
  const sentMessages = [...httpMessages, ...loads.flatMap((load) => load.sentOverMqtt)];
  const machines = [...new Set(sentMessages.map(({ machine }) => machine))];
  const storedCounts = await readStoredCounts(url, machines, 0);
  const sums = await query(
    url,
    (sql) => sql<{ machine: number; messages: number; area: number }[]>`
      select machine_id as machine, sum(messages)::int as messages, sum(area_m2)::float8 as area
      from machine_days where machine_id = any(${machines}::int[]) group by 1`,
  );
  const acknowledgedMessages = sentMessages.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined);
  const sentKeys = new Set(sentMessages.map(keyOf));
  let duplicates = 0;
  for (const rows of storedCounts.values()) duplicates += rows - 1;
  for (const { machine, messages, area } of sums) {
    const ownCount = [...storedCounts.keys()].filter((key) => key.startsWith(`${machine} `)).length;
    const isHttp = httpMessages.some((message) => message.machine === machine);
    duplicates +=
      Math.max(0, messages - ownCount) + (isHttp ? Math.max(0, Math.round(area / areaPerMessage) - ownCount) : 0);
  }
  return {
    acknowledged: acknowledgedMessages.length,
    lost: acknowledgedMessages.filter((message) => !storedCounts.has(keyOf(message))).length,
    duplicates,
    unexpected: [...storedCounts.keys()].filter((key) => !sentKeys.has(key)).length,
  };
}

/** For each rule, the number of its alerts and the outcomes of messages about them. */
export const readAlerts = (url: string, rules: readonly number[]) =>
  query(
    url,
    (sql) => sql<{ rule: number; alerts: number; outcomes: string[] }[]>`
      select r.id as rule, count(distinct a.id)::int as alerts,
        coalesce(array_agg(j.outcome) filter (where j.id is not null), '{}') as outcomes
      from alert_rules r left join alerts a on a.rule_id = r.id
      left join jobs j on j.kind = 'alert_message' and (j.payload->>'alert_id')::int = a.id
      where r.id = any(${[...rules]}::int[]) group by r.id order by r.id`,
  );

/** Whether every MQTT slot has its session at the broker. */
export const areSlotsSubscribed = (url: string): Promise<boolean> =>
  query(url, async (sql) => {
    const rows = await sql<{ subscribed: boolean }[]>`
      select subscribed_at is not null as subscribed from mqtt_slots where is_wanted`;
    return rows.length > 0 && rows.every(({ subscribed }) => subscribed);
  });
