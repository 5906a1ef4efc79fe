/**
 * Messages that wait in a table until they are carried out. Any process may: whoever takes a message puts it off for
 * the time that sending may last, so that nobody else takes it, and it is taken again, under the same id, only if its
 * sender ended on the way.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Services } from '../context/services';
import type { Queries } from '../db/core/database';

export interface OutboxMessage {
  id: string;
  /** This one included. */
  tries: number;
}

/** Of one kind of messages: where they lie, and what is particular about them. */
export interface OutboxHandler<M extends OutboxMessage, O extends string> {
  /** With the columns `id`, `due_at`, `tries`, `outcome`, `done_at` and `error`. */
  table: 'alert_messages' | 'report_messages';
  /** What the log says when one fails. */
  failed: string;
  /** Seconds that sending one may last before it is anybody's again. */
  lease: number;
  /** Seconds until the next try, after each that failed; then it is given up. */
  backOff: readonly number[];
  /** How many are taken at a time, and how many of them are carried at once. */
  batch: number;
  atOnce: number;
  /** The statement that reads what there is to say of those in `mine`, which holds rows of the table. */
  read: (mine: SQL) => SQL;
  carry: (message: M) => Promise<O>;
  /** Whether no further try can help. */
  isHopeless?: (error: unknown) => boolean;
  /** In the transaction that keeps what became of a message. */
  ended?: (tx: Queries, message: M, outcome: O | 'failed') => Promise<void>;
}

type OutboxServices = Pick<Services, 'db' | 'log' | 'now'>;

/** Carries out what is due; gives how many messages were taken. */
export async function deliverDue<M extends OutboxMessage, O extends string>(
  services: OutboxServices,
  outgoing: OutboxHandler<M, O>,
): Promise<number> {
  const { batch, atOnce } = outgoing;
  for (let taken = 0; ; ) {
    const messages = await take(services, outgoing);
    for (let next = 0; next < messages.length; next += atOnce)
      await Promise.all(messages.slice(next, next + atOnce).map((message) => settle(services, outgoing, message)));
    taken += messages.length;
    if (messages.length < batch) return taken;
  }
}

const later = (now: Date, seconds: number) =>
  sql`${new Date(now.getTime() + seconds * 1000).toISOString()}::timestamptz`;

function take<M extends OutboxMessage, O extends string>(
  { db, now }: OutboxServices,
  { table, lease, batch, read }: OutboxHandler<M, O>,
): Promise<M[]> {
  const [messages, at] = [sql.identifier(table), now()];
  return db.rows<M & Record<string, unknown>>(sql`
    with mine as (
      update ${messages} set due_at = ${later(at, lease)}, tries = tries + 1
      where id in (select id from ${messages} where due_at <= ${later(at, 0)} order by due_at limit ${batch}::int
      for update skip locked)
      returning *
    ) ${read(sql`mine`)}`);
}

async function settle<M extends OutboxMessage, O extends string>(
  services: OutboxServices,
  outgoing: OutboxHandler<M, O>,
  message: M,
): Promise<void> {
  try {
    await end(services, outgoing, message, { outcome: await outgoing.carry(message) });
  } catch (error) {
    const { table, failed, backOff, isHopeless = () => false } = outgoing;
    services.log.warn({ err: error, table, id: message.id, tries: message.tries }, failed);
    const wait = isHopeless(error) ? undefined : backOff[message.tries - 1];
    const text = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    await (wait === undefined
      ? end(services, outgoing, message, { outcome: 'failed', error: text })
      : putOff(services, outgoing, message, { wait, error: text })
    ).catch((err: unknown) =>
      services.log.warn({ err, table, id: message.id }, 'what became of a message could not be kept'),
    );
  }
}

function putOff<M extends OutboxMessage, O extends string>(
  { db, now }: OutboxServices,
  { table }: OutboxHandler<M, O>,
  { id }: M,
  { wait, error }: { wait: number; error: string },
) {
  return db.rows(
    sql`update ${sql.identifier(table)} set due_at = ${later(now(), wait)}, error = ${error} where id = ${id}::uuid`,
  );
}

async function end<M extends OutboxMessage, O extends string>(
  { db, now }: OutboxServices,
  { table, ended }: OutboxHandler<M, O>,
  message: M,
  { outcome, error = null }: { outcome: O | 'failed'; error?: string | null },
): Promise<void> {
  const ending = sql`update ${sql.identifier(table)} set due_at = null, outcome = ${outcome},
    done_at = ${later(now(), 0)}, error = ${error} where id = ${message.id}::uuid`;
  if (!ended) return void (await db.rows(ending));
  await db.transaction(async (tx) => {
    await tx.rows(ending);
    await ended(tx, message, outcome);
  });
}
