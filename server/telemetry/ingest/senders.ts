/** Resolves device ids to trackers and machines, and records unknown devices. */
import { sql } from 'drizzle-orm';
import { sha256 } from '../../auth/secrets';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import { advisoryLocks } from '../../db/core/advisoryLocks';
import { collatedSql } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { createTokenBucket } from '../../shared/createTokenBucket';
import { truncate } from '../adapters/requireStorable';
import type { Position, Protocol } from '../timeline/observation';
import { unroutedMessages } from './unroutedMessages';

/** A device whose tracker is on a machine. */
export interface Device {
  trackerId: number;
  machineId: number;
  keyRules: readonly string[] | null;
}

/**
 * Returns machines by device id (exact `tracker_or_serial`, else `refno`). Omits ids without a machine. Without
 * `collatedSql`, PostgreSQL would not use the index. One condition for both columns could make the planner read all
 * trackers while it has no statistics about them.
 */
export async function readDevices(db: Queries, ids: readonly string[]): Promise<Map<string, Device>> {
  const deviceIds = sql`${sql.param([...ids])}::text[]`;
  const rows = await db.select(
    { device: pg.text, trackerId: pg.integer, machineId: pg.integer, keyRules: pg.text.array.nullable },
    sql`
    select distinct on (g.device) g.device, t.id as "trackerId", m.id as "machineId", ${keyRulesSql} as "keyRules"
    from unnest(${deviceIds}) as g(device)
    cross join lateral (
      select t.id, t.key_rules, 1 as rank from trackers t
      where ${collatedSql(sql`t.tracker_or_serial`)} = g.device and t.deleted_at is null
      union all
      select t.id, t.key_rules, 2 from trackers t where t.refno = g.device and t.deleted_at is null
    ) t
    join machines m on m.tracker_id = t.id and m.deleted_at is null
    left join types y on y.id = m.type_id
    order by g.device, t.rank, t.id`,
  );
  return new Map(rows.map(({ device, ...sender }) => [device, sender]));
}

/** A tracker authenticated by its secret. */
export const senderShape = {
  trackerId: pg.integer,
  /** Device ids that it may send under, its own first. */
  names: pg.text.array,
  /** Null for an unassigned tracker. */
  machineId: pg.integer.nullable,
  /** Cleaning action types of the machine's type; null without a type. */
  cleaningActions: pg.text.array.nullable,
  /** Key rules of the tracker, else of the machine's type. */
  keyRules: pg.text.array.nullable,
};

/** SQL: the key rules that apply to a tracker `t` on a machine of type `y`. */
export const keyRulesSql = sql`coalesce(nullif(t.key_rules, '{}'), y.key_rules)`;
export type Sender = RowOf<typeof senderShape>;

const secretPattern = /^swt_[A-Za-z0-9_-]{20,100}$/;

/** Returns the sender that currently has this secret. */
export const findSender = async (db: Queries, secret: string): Promise<Sender | undefined> =>
  (await findSenders(db, [secret]))[0];

/** Returns the senders that have these secrets, in the order of `secrets`. */
export async function findSenders(db: Queries, secrets: readonly string[]): Promise<(Sender | undefined)[]> {
  const hashes = secrets.map((secret) => (secretPattern.test(secret) ? sha256(secret).toString('hex') : ''));
  if (hashes.every((hash) => hash === '')) return secrets.map(() => undefined);
  const rows = await db.select(
    { ...senderShape, hash: pg.text },
    sql`
    select encode(s.hash, 'hex') as hash, t.id as "trackerId", array_remove(array[t.tracker_or_serial, t.refno],
    null) as names, m.id as "machineId", y.cleaning_actions as "cleaningActions",
      ${keyRulesSql} as "keyRules"
    from unnest(${sql.param(hashes)}::text[]) as input(hash)
    join tracker_secrets s on s.hash = decode(input.hash, 'hex')
    join trackers t on t.id = s.tracker_id and t.deleted_at is null
    left join machines m on m.tracker_id = t.id and m.deleted_at is null
    left join types y on y.id = m.type_id
    where input.hash <> ''`,
  );
  const sendersByHash = new Map(rows.map(({ hash, ...sender }) => [hash, sender]));
  return hashes.map((hash) => sendersByHash.get(hash));
}

/** Finds the tracker with the first of these ids that matches. Does not check a secret. */
export async function findTracker(db: Queries, ids: readonly string[]): Promise<Sender | undefined> {
  const deviceIds = sql`${sql.param([...ids])}::text[]`;
  return db.selectOne(
    senderShape,
    sql`
    select t.id as "trackerId", array_remove(array[t.tracker_or_serial, t.refno], null) as names, m.id as "machineId",
      y.cleaning_actions as "cleaningActions",
      ${keyRulesSql} as "keyRules"
    from trackers t
    left join machines m on m.tracker_id = t.id and m.deleted_at is null
    left join types y on y.id = m.type_id
    where (${collatedSql(sql`t.tracker_or_serial`)} = any(${deviceIds}) or t.refno = any(${deviceIds}))
      and t.deleted_at is null
    order by least(array_position(${deviceIds}, t.tracker_or_serial), array_position(${deviceIds}, t.refno)), t.id
    limit 1`,
  );
}

export interface UnknownDevice {
  device: string;
  protocol: Protocol;
  payload: string;
  position: Position | null;
  /** The tracker through which it sent. */
  gatewayId?: number;
}

/** Maximum number of unassigned trackers that unknown devices create. Nobody would look through more. */
const maxUnassigned = 500;
const maxIdLength = 120;
const maxPayloadLength = 2000;
/** Rate limit for recording unknown devices: during a flood, devices get their answers, but nothing is written. */
const rateLimit = { perSecond: 20, burst: 300 };
const mayRecord = createTokenBucket(rateLimit);

/**
 * Records that a device without a machine sent a message: marks its tracker as seen, or creates an unassigned one. Does
 * not store the message; the device gets an error and may send it again.
 */
export async function recordUnknownDevice(
  { db, live, now }: Pick<Services, 'db' | 'live' | 'now'>,
  device: UnknownDevice,
): Promise<void> {
  unroutedMessages.inc({ protocol: device.protocol });
  if (device.device.trim() === '' || device.device.length > maxIdLength || !mayRecord()) return;
  const seenAt = now().toISOString();
  const events = await db.transaction((tx) => recordInTransaction(tx, device, seenAt));
  await live.publish(events);
}

async function recordInTransaction(tx: Queries, unknownDevice: UnknownDevice, seenAt: string): Promise<LiveEvent[]> {
  const { device } = unknownDevice;
  // Serialises messages of the same id: two concurrent first messages create one tracker.
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${device}, ${advisoryLocks.unknownDevice}::bigint))`);
  const tracker = await tx.selectOne(
    { id: pg.integer },
    sql`
    select id from trackers where (${collatedSql(sql`tracker_or_serial`)} = ${device} or refno = ${device})
    and deleted_at is null order by (tracker_or_serial = ${device}) desc, id limit 1`,
  );
  const id = tracker?.id ?? (await createTracker(tx, unknownDevice));
  if (id === undefined) return [];
  await tx.rows(
    sql`update trackers_state set last_seen = greatest(last_seen, ${seenAt}::timestamptz) where id = ${id}`,
  );
  await recordMessage(tx, { id, seenAt, ...unknownDevice });
  return [
    {
      entity: 'trackers',
      id,
      ...(tracker ? { type: 'updated', payload: { last_seen: seenAt } } : { type: 'created' }),
    },
  ];
}

/** Creates an unassigned tracker, unless too many exist already. */
async function createTracker(tx: Queries, { device, protocol, gatewayId }: UnknownDevice): Promise<number | undefined> {
  const row = await tx.selectOne(
    { id: pg.integer },
    sql`
    insert into trackers (refno, tracker_or_serial, mode, gateway_id)
    select case when char_length(${device}) between 3 and 60 then ${device}
    else 'new-' || left(encode(sha256(convert_to(${device}, 'UTF8')), 'hex'), 12) end, ${device},
      ${protocol === 'vda5050' || gatewayId !== undefined ? 'mqtt' : 'http'}::text, ${gatewayId ?? null}::int
    where (select count(*) from discovered_trackers d join trackers t on t.id = d.tracker_id and t.deleted_at is null
      where not exists (select 1 from machines m where m.tracker_id = t.id
      and m.deleted_at is null)) < ${maxUnassigned}::int
    returning id`,
  );
  return row?.id;
}

async function recordMessage(
  tx: Queries,
  { id, protocol, seenAt, payload, position }: UnknownDevice & { id: number; seenAt: string },
): Promise<void> {
  const { latitude, longitude } = position ?? { latitude: null, longitude: null };
  await tx.rows(sql`
    insert into discovered_trackers as at (tracker_id, protocol, first_seen, last_payload, latitude, longitude)
    values (${id}, ${protocol}, ${seenAt}::timestamptz, ${truncate(payload, maxPayloadLength)}, ${latitude}::float8,
    ${longitude}::float8)
    on conflict (tracker_id) do update set protocol = excluded.protocol, messages = at.messages + 1,
    last_payload = excluded.last_payload,
      latitude = coalesce(excluded.latitude, at.latitude), longitude = coalesce(excluded.longitude, at.longitude)`);
}
