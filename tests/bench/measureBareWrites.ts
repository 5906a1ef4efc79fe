/**
 * The limit of ingest: the writes for single messages as bare SQL, in transactions of 200 on two connections. It reads,
 * parses and rebuilds nothing; each message is the newest of its machine and changes no state. Like the measured
 * devices, all machines send in turn: rows that each transaction updates again would stay in the cache.
 */
import postgres from 'postgres';
import { sessionSettings } from '../../server/db/driver/sessionSettings';

const transactionSize = 200;
const connections = 2;

export interface BareSender {
  machine: number;
  tracker: number;
}

/** Messages stored per second. */
export async function measureBareWrites(url: string, senders: readonly BareSender[], seconds: number): Promise<number> {
  const sql = postgres(url, { max: connections, connection: sessionSettings, onnotice: () => {} });
  const start = Date.now() - 20 * 86_400_000;
  let storedCount = 0;
  const until = performance.now() + seconds * 1000;
  try {
    await Promise.all(
      Array.from({ length: connections }, async (_, lane) => {
        const ownSenders = senders.filter((_sender, index) => index % connections === lane);
        let sentCount = 0;
        while (performance.now() < until) {
          const messages = Array.from({ length: transactionSize }, () => {
            const { machine, tracker } = ownSenders[sentCount % ownSenders.length] as BareSender;
            const round = Math.floor(sentCount / ownSenders.length);
            sentCount += 1;
            return { machine, tracker, at: new Date(start + round * 2000).toISOString() };
          });
          await sql.begin(async (tx) => {
            await Promise.all(
              writeStatements(messages).map(({ text, values }) => tx.unsafe(text, values, { prepare: true })),
            );
          });
          if (performance.now() < until) storedCount += transactionSize;
        }
      }),
    );
  } finally {
    await sql.end();
  }
  return storedCount / seconds;
}

function writeStatements(messages: readonly { machine: number; tracker: number; at: string }[]) {
  const values = [
    messages.map(({ machine }) => machine),
    messages.map(({ tracker }) => tracker),
    messages.map(({ at }) => at),
  ].map((list) => `{${list.join(',')}}`);
  const input = '(select * from unnest($1::int[], $2::int[], $3::timestamptz[]) as i(machine, tracker, at)) i';
  const latestSql = `(select machine, tracker, max(at) as at, count(*)::int as messages from ${input} group by 1, 2) i`;
  return [
    `with message as materialized (select nextval(pg_get_serial_sequence('raw_messages', 'id')) as id, i.* from ${input}),
      raw as (insert into raw_messages (id, received_at, protocol, device, tracker_id, machine_id, media_type, body)
        select id, now(), 'osmand', 'bench', tracker, machine, 'application/x-www-form-urlencoded',
          'id=bench&timestamp=1764000000000&lat=52.5&lon=13.4&speed=1.2&batt=80&status=cleaning'::bytea from message)
      insert into observations (machine_id, at, kind, received_at, raw_id, protocol, state, reason, own_keys, state_keys,
        battery, latitude, longitude, speed)
      select machine, at, 'report', now(), id, 'osmand', 'Cleaning', 'cleaning', 3, 3, 80, 52.5, 13.4, 0.6 from message
      on conflict do nothing`,
    `update trackers_state s set last_seen = now() from ${latestSql} where s.id = i.tracker`,
    `insert into machine_watch as w (machine_id, observed_at, silent_at)
      select machine, at, at + interval '10 minutes' from ${latestSql}
      on conflict (machine_id) do update set observed_at = excluded.observed_at, silent_at = excluded.silent_at`,
    `update machines_state s set last_seen = i.at, battery = 80, latitude = 52.5, longitude = 13.4,
        cleaning_time = s.cleaning_time + i.messages, operating_time = s.operating_time + i.messages
      from ${latestSql} where s.id = i.machine`,
    `insert into machine_days as d (machine_id, day, cleaning, messages)
      select machine, at::date, messages, messages from ${latestSql}
      on conflict (machine_id, day) do update set cleaning = d.cleaning + excluded.cleaning,
        messages = d.messages + excluded.messages`,
  ].map((text) => ({ text, values }));
}
