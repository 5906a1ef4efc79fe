/** Stores raw messages and observations. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { maxClockLead } from '../adapters/clock';
import type { StoredObservation } from '../timeline/neighbours';
import {
  type Message,
  type Mode,
  type Protocol,
  type Reason,
  type StateKeys,
  statelessKinds,
} from '../timeline/observation';
import type { TimelineObservation } from '../timeline/timeline';

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
export const messageShape = {
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
/** SQL: the rows of `messageRow` as records `r`. `extraColumns` ends with a comma. */
export const messageRecordsSql = (
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
export const storedObservationOf = ({ machine_id, at, kind }: StoredRow): StoredObservation => ({
  machineId: machine_id,
  at,
  kind,
});

/** Stores all raw messages, and observations of the messages that count. Returns the new observations. */
export async function storeMessages(tx: Queries, messages: readonly RetainedMessage[]): Promise<StoredObservation[]> {
  const storedRows = await tx.select(
    storedRowShape,
    sql`
    with message as materialized (
      select nextval(pg_get_serial_sequence('raw_messages', 'id')) as raw_id, r.*
      from ${messageRecordsSql(messages.map(messageRow))}
    ), raw as (
      insert into raw_messages (id, received_at, protocol, device, tracker_id, machine_id, media_type, body)
      select raw_id, received_at, coalesce(raw_protocol, protocol), device, tracker_id, machine_id, media_type,
        decode(body, 'base64')
      from message
    )
    insert into observations (${observationColumns}) select ${observationColumns} from message where is_counted
    order by raw_id on conflict do nothing returning machine_id, at, kind`,
  );
  return storedRows.map(storedObservationOf);
}

/** Stores observations of raw messages that are already stored. Returns the new observations. */
export async function storeObservations(
  tx: Queries,
  messages: readonly (TimedMessage & { rawId: number })[],
): Promise<StoredObservation[]> {
  const storedRows = await tx.select(
    storedRowShape,
    sql`
    insert into observations (${observationColumns}) select ${observationColumns}
    from ${messageRecordsSql(messages.map(messageRow), sql`raw_id bigint,`)}
    order by raw_id on conflict do nothing returning machine_id, at, kind`,
  );
  return storedRows.map(storedObservationOf);
}

/**
 * Whether the stored row equals what the message says. Ignores the state if keys determine it, since earlier keys
 * count, too.
 */
export function isAsStored(row: ObservationRow, message: TimedMessage): boolean {
  const sentValues: Readonly<Record<string, unknown>> = messageRow(message);
  const derivedNames: readonly string[] = row.own_keys === null ? [] : ['state', 'reason', 'mode'];
  const names = Object.keys(messageShape) as (keyof typeof messageShape)[];
  return names.every((name) => derivedNames.includes(name) || isSameColumnValue(row[name], sentValues[name]));
}

/** Whether two values of a column are equal, as null and undefined are. Most are identical and need not be printed. */
export const isSameColumnValue = (a: unknown, b: unknown): boolean =>
  (a ?? null) === (b ?? null) || printComparable(a) === printComparable(b);

/** jsonb does not preserve the order of keys. */
const printComparable = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value ?? null);

/**
 * Limits a time to the years 5 to 3934. Device clocks may exceed them, up to years that PostgreSQL does not read from
 * ISO 8601.
 */
export const storableTime = (instant: Date): Date => new Date(Math.min(6.2e13, Math.max(-6.2e13, instant.getTime())));

/**
 * Values of a message by column. Missing values stay undefined and thus absent from the JSON; half of all values are
 * missing, and the database would have to parse them for every message. The properties are spelled out, because
 * spreading the message would cost more than everything else here.
 */
export function messageRow(timedMessage: TimedMessage & { isCounted?: boolean; rawId?: number }) {
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
