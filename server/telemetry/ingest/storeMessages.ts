/** Stores raw messages and observations. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { type ComputationSteps, runInTurns } from '../../shared/steps';
import { keyOf, type StoredObservation } from '../timeline/neighbours';
import {
  type Message,
  type Mode,
  type Protocol,
  type Reason,
  type StateKeys,
  statelessKinds,
} from '../timeline/observation';
import type { TimelineObservation } from '../timeline/timeline';
import { mergeFields } from './mergeFields';

/** A message of a known machine, as received. */
export interface Incoming {
  machineId: number;
  /** Null for a machine without a tracker, which a vendor's cloud reports. */
  trackerId: number | null;
  protocol: Protocol;
  message: Message;
  receivedAt: Date;
  raw: { device: string; mediaType: string; body: Uint8Array };
}

/** A message with its effective time. */
export interface TimedMessage extends Incoming {
  at: Date;
  /** Device time, if it is not trusted. */
  untrustedAt: Date | undefined;
  /** State keys in force from this message on; without it, only the message's own keys. */
  stateKeys?: StateKeys;
  /** Whether several messages of the same time were merged into this one. */
  isMerged?: boolean;
  /** Protocol of the raw message, if `protocol` comes from another message merged with it. */
  rawProtocol?: Protocol;
}

/**
 * A message, and whether it becomes an observation. It does not if it is past the retention, or was merged into an
 * earlier message of the same time.
 */
export type RetainedMessage = TimedMessage & { isCounted: boolean };

/** Whether the message may change the timeline. */
export const affectsState = ({ message: { kind } }: { message: { kind: string } }): boolean =>
  !statelessKinds.includes(kind);

/** Maximum milliseconds by which a trusted clock is ahead. */
const maxClockLead = 5 * 60_000;
/** Clocks before this day have never been set. */
const minDeviceTime = Date.UTC(2000, 0, 1);

/**
 * Adds the effective time: the device's time, or the time of receipt if the clock is far ahead or was never set.
 */
export function withEffectiveTime(incoming: Incoming): TimedMessage {
  const { message, receivedAt } = incoming;
  const deviceTime = message.at;
  const isTrusted =
    deviceTime !== undefined &&
    deviceTime.getTime() <= receivedAt.getTime() + maxClockLead &&
    deviceTime.getTime() >= minDeviceTime;
  return { ...incoming, at: isTrusted ? deviceTime : receivedAt, untrustedAt: isTrusted ? undefined : deviceTime };
}

/** Columns whose values come from a message. */
const messageShape = {
  protocol: pg.text.as<Protocol>(),
  state: pg.text.as<TimelineObservation['state']>(),
  reason: pg.text.as<Reason>(),
  mode: pg.text.as<Mode>().nullable,
  own_keys: pg.integer.as<StateKeys>().nullable,
  battery: pg.integer.nullable,
  latitude: pg.double.nullable,
  longitude: pg.double.nullable,
  speed: pg.double.nullable,
  heading: pg.double.nullable,
  accuracy: pg.double.nullable,
  altitude: pg.double.nullable,
  odometer: pg.double.nullable,
  area_total: pg.double.nullable,
  area: pg.double.nullable,
  error: pg.text.nullable,
  message: pg.text.nullable,
  attributes: pg.json<Record<string, unknown>>().nullable,
};
/** Columns of `observations`. */
export const observationShape = {
  machine_id: pg.integer,
  at: pg.timestamptz,
  kind: pg.text,
  received_at: pg.timestamptz,
  device_at: pg.timestamptz.nullable,
  raw_id: pg.integer.nullable,
  is_merged: pg.boolean,
  state_keys: pg.integer.as<StateKeys>().nullable,
  ...messageShape,
};
export type ObservationRow = RowOf<typeof observationShape>;
export const observationColumns = sql.raw(Object.keys(observationShape).join(', '));
const recordsSql = (
  rows: readonly object[],
  extraColumns = sql``,
) => sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as r(${extraColumns}
  machine_id int, tracker_id int, is_counted boolean, at timestamptz, received_at timestamptz,
  device_at timestamptz, is_merged boolean, protocol text, raw_protocol text,
  device text, media_type text, body text, kind text, state text,
  reason text, mode text, own_keys smallint, state_keys smallint, battery int, latitude float8, longitude float8,
  speed float8, heading float8, accuracy float8,
  altitude float8, odometer float8,
  area_total float8, area float8, error text, message text, attributes jsonb)`;
const storedRowShape = {
  machine_id: pg.integer,
  at: pg.timestamptz,
  kind: pg.text,
};
type StoredRow = RowOf<typeof storedRowShape>;
const storedObservationOf = ({ machine_id, at, kind }: StoredRow): StoredObservation => ({
  machineId: machine_id,
  at,
  kind,
});

/** Stores all raw messages, and observations of the messages that count. Returns the new observations. */
export async function storeMessages(tx: Queries, messages: readonly RetainedMessage[]): Promise<StoredObservation[]> {
  const stored = await tx.select(
    storedRowShape,
    sql`
    with message as materialized (
      select nextval(pg_get_serial_sequence('raw_messages', 'id')) as raw_id, r.*
      from ${recordsSql(messages.map(rowOf))}
    ), raw as (
      insert into raw_messages (id, received_at, protocol, device, tracker_id, machine_id, media_type, body)
      select raw_id, received_at, coalesce(raw_protocol, protocol), device, tracker_id, machine_id, media_type,
        decode(body, 'base64')
      from message
    )
    insert into observations (${observationColumns}) select ${observationColumns} from message where is_counted
    order by raw_id on conflict do nothing returning machine_id, at, kind`,
  );
  return stored.map(storedObservationOf);
}

/** Stores observations of raw messages that are already stored. Returns the new observations. */
export async function storeObservations(
  tx: Queries,
  messages: readonly (TimedMessage & { rawId: number })[],
): Promise<StoredObservation[]> {
  const stored = await tx.select(
    storedRowShape,
    sql`
    insert into observations (${observationColumns}) select ${observationColumns}
    from ${recordsSql(messages.map(rowOf), sql`raw_id bigint,`)}
    order by raw_id on conflict do nothing returning machine_id, at, kind`,
  );
  return stored.map(storedObservationOf);
}

/**
 * Whether the stored row equals what the message says. Ignores the state if keys determine it, since earlier keys
 * count, too.
 */
export function isAsStored(row: ObservationRow, message: TimedMessage): boolean {
  const sentValues: Readonly<Record<string, unknown>> = rowOf(message);
  const derivedNames: readonly string[] = row.own_keys === null ? [] : ['state', 'reason', 'mode'];
  const names = Object.keys(messageShape) as (keyof typeof messageShape)[];
  return names.every((name) => derivedNames.includes(name) || isSameValue(row[name], sentValues[name]));
}

/** Whether two values of a column are equal; null and undefined are. Most are equal as they are, and cost no text. */
const isSameValue = (a: unknown, b: unknown): boolean =>
  (a ?? null) === (b ?? null) || printComparable(a) === printComparable(b);

/** jsonb does not preserve the order of keys. */
const printComparable = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value ?? null);

/** Limits a time to PostgreSQL's range, which device clocks may exceed. */
export const storableTime = (instant: Date): Date => new Date(Math.min(6.2e13, Math.max(-6.2e13, instant.getTime())));

/**
 * Values of a message by column. Missing values stay undefined and thus absent from the JSON; half of all values are
 * missing, and the database would have to parse them for every message. The properties are spelled out, because
 * spreading the message would cost more than everything else here.
 */
function rowOf(timedMessage: TimedMessage & { isCounted?: boolean; rawId?: number }) {
  const { message, raw, untrustedAt } = timedMessage;
  const { position, attributes } = message;
  return {
    raw_id: timedMessage.rawId,
    machine_id: timedMessage.machineId,
    tracker_id: timedMessage.trackerId ?? undefined,
    is_counted: timedMessage.isCounted,
    at: timedMessage.at.toISOString(),
    received_at: timedMessage.receivedAt.toISOString(),
    device_at: untrustedAt && storableTime(untrustedAt).toISOString(),
    is_merged: timedMessage.isMerged ?? false,
    protocol: timedMessage.protocol,
    raw_protocol: timedMessage.rawProtocol,
    device: raw.device,
    media_type: raw.mediaType.slice(0, 200),
    body: Buffer.from(raw.body).toString('base64'),
    kind: message.kind,
    state: message.state,
    reason: message.reason,
    mode: message.mode ?? undefined,
    own_keys: message.own_keys,
    state_keys: timedMessage.stateKeys ?? message.own_keys,
    battery: message.battery ?? undefined,
    latitude: position?.latitude,
    longitude: position?.longitude,
    speed: message.speed ?? undefined,
    heading: message.heading ?? undefined,
    accuracy: message.accuracy ?? undefined,
    altitude: message.altitude ?? undefined,
    odometer: message.odometer ?? undefined,
    area_total: message.area_total ?? undefined,
    area: message.area ?? undefined,
    error: message.error ?? undefined,
    message: message.message ?? undefined,
    attributes: Object.keys(attributes).length > 0 ? attributes : undefined,
  } satisfies Record<string, unknown> & Record<keyof typeof messageShape, unknown>;
}

/** Columns of `observations` with the alias `o`. */
export const aliasedObservationColumns = sql.raw(
  Object.keys(observationShape)
    .map((name) => `o.${name}`)
    .join(', '),
);

/**
 * Merges each message into the stored observation of its time. Returns the observations that changed, with their former
 * values. Leaves states that follow from keys to `carryForwardStoredKeys`.
 */
export async function amendObservations(tx: Queries, messages: readonly TimedMessage[]): Promise<AmendedObservation[]> {
  if (messages.length === 0) return [];
  const rows = await tx.select(
    observationShape,
    sql`
    select ${aliasedObservationColumns} from unnest(${sql.param(messages.map(({ machineId }) => machineId))}::int[],
      ${sql.param(messages.map(({ at }) => at.toISOString()))}::timestamptz[],
      ${sql.param(messages.map(({ message }) => message.kind))}::text[]) as g(machine_id, at, kind)
    join observations o on o.machine_id = g.machine_id and o.at = g.at and o.kind = g.kind`,
  );
  const stored = new Map(rows.map((row) => [keyOf(storedObservationOf(row)), row]));
  const amended = await runInTurns(findAmended(messages, stored));
  if (amended.length === 0) return [];
  const columns = [...Object.keys(messageShape), 'is_merged'];
  await tx.rows(sql`
    update observations o set ${sql.raw(columns.map((name) => `${name} = r.${name}`).join(', '))}
    from ${recordsSql(
      amended.map(({ former: { machine_id, at, kind }, current }) => ({
        machine_id,
        at,
        kind,
        is_merged: true,
        ...current,
      })),
    )}
    where o.machine_id = r.machine_id and o.at = r.at and o.kind = r.kind`);
  return amended;
}

/** Compares each message with the stored observation of its key. Most are mere repeats. */
function* findAmended(
  messages: readonly TimedMessage[],
  stored: ReadonlyMap<string, ObservationRow>,
): ComputationSteps<AmendedObservation[]> {
  const amended: AmendedObservation[] = [];
  for (const message of messages) {
    yield;
    const former = stored.get(keyOf({ ...message, kind: message.message.kind }));
    if (!former || isAsStored(former, message)) continue;
    const { state, reason, mode } = former;
    const mergedValues = mergeFields(valuesOf(former), valuesOf(rowOf(message)));
    const current = mergedValues.own_keys === null ? mergedValues : { ...mergedValues, state, reason, mode };
    if (Object.entries(current).some(([name, value]) => !isSameValue(value, former[name as keyof typeof current])))
      amended.push({ former, current, message });
  }
  return amended;
}

/** An observation before the change, and the message that changed it. */
export interface AmendedObservation {
  former: ObservationRow;
  /** Values after the change; state, reason and mode are the former ones if keys determine them. */
  current: MessageValues;
  message: TimedMessage;
}

type MessageValues = RowOf<typeof messageShape>;

const valuesOf = (row: object): MessageValues =>
  Object.fromEntries(
    Object.keys(messageShape).map((name) => [name, (row as Record<string, unknown>)[name] ?? null]),
  ) as MessageValues;
