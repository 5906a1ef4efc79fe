/** Keeps messages as they came and as they were understood. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import type { Stored } from '../timeline/neighbours';
import type { Message, Protocol } from '../timeline/observation';

/** A message of a known machine, and how it came. */
export interface Incoming {
  machineId: number;
  trackerId: number;
  protocol: Protocol;
  message: Message;
  receivedAt: Date;
  raw: { device: string; mediaType: string; body: Uint8Array };
}

/** A message with the time that counts. */
export interface Timed extends Incoming {
  at: Date;
  /** What the device's clock said, where it is not believed. */
  toldAt: Date | undefined;
}

/** A message, and whether an observation follows from it: none does from before the observations that are kept. */
export type Judged = Timed & { isCounted: boolean };

const future = 5 * 60_000;
/** A clock before this day was never set. */
const earliest = Date.UTC(2000, 0, 1);

/**
 * The time of a message: the device's, unless its clock is far ahead or was never set (domain: "a device clock more
 * than 5 min in the future is not believed").
 */
export function timed(incoming: Incoming): Timed {
  const { message, receivedAt } = incoming;
  const told = message.at;
  const believed = told !== undefined && told.getTime() <= receivedAt.getTime() + future && told.getTime() >= earliest;
  return { ...incoming, at: believed ? told : receivedAt, toldAt: believed ? undefined : told };
}

const columns = sql.raw(
  `machine_id, at, kind, received_at, raw_id, protocol, state, reason, mode, battery, latitude, ` +
    `longitude, speed, heading, accuracy,
  altitude, odometer, area_total, area, error, message, attributes`,
);
const given = (
  rows: readonly object[],
  more = sql``,
) => sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(${more}
  machine_id int, tracker_id int, is_counted boolean, at timestamptz, received_at timestamptz, protocol text,
  device text, media_type text, body text, kind text, state text,
  reason text, mode text, battery int, latitude float8, longitude float8, speed float8, heading float8, accuracy float8,
  altitude float8, odometer float8,
  area_total float8, area float8, error text, message text, attributes jsonb)`;
interface StoredRow {
  machine_id: number;
  at: Date;
  kind: string;
}
const storedOf = ({ machine_id, at, kind }: StoredRow): Stored => ({ machineId: machine_id, at, kind });

/** Stores all raw messages and those observations that count and are new; gives back the new ones. */
export async function storeMessages(tx: Queries, messages: readonly Judged[]): Promise<Stored[]> {
  const stored = await tx.rows<StoredRow>(sql`
    with given as materialized (
      select nextval(pg_get_serial_sequence('raw_messages', 'id')) as raw_id, r.*
      from ${given(messages.map((message) => ({ is_counted: message.isCounted, ...rowOf(message) })))}
    ), raw as (
      insert into raw_messages (id, received_at, protocol, device, tracker_id, machine_id, media_type, body)
      select raw_id, received_at, protocol, device, tracker_id, machine_id, media_type, decode(body, 'base64')
      from given
    )
    insert into observations (${columns}) select ${columns} from given where is_counted
    order by raw_id on conflict do nothing returning machine_id, at, kind`);
  return stored.map(storedOf);
}

/**
 * Stores those observations that are new, of raw messages that are here already, each with the id of its own; gives
 * back the new ones.
 */
export async function storeObservations(
  tx: Queries,
  messages: readonly (Timed & { rawId: number })[],
): Promise<Stored[]> {
  const rows = messages.map((message) => ({ raw_id: message.rawId, ...rowOf(message) }));
  const stored = await tx.rows<StoredRow>(sql`
    insert into observations (${columns}) select ${columns} from ${given(rows, sql`raw_id bigint,`)}
    order by raw_id on conflict do nothing returning machine_id, at, kind`);
  return stored.map(storedOf);
}

/** What an adapter understands; the rest of a row is how it came. */
const understood = [
  ...[
    'protocol',
    'state',
    'reason',
    'mode',
    'battery',
    'latitude',
    'longitude',
    'speed',
    'heading',
    'accuracy',
    'altitude',
  ],
  ...['odometer', 'area_total', 'area', 'error', 'message', 'attributes'],
];

/** Whether a row of `observations` says what the message says. */
export function isAsStored(row: Readonly<Record<string, unknown>>, message: Timed): boolean {
  const now: Readonly<Record<string, unknown>> = rowOf(message);
  return understood.every((name) => plain(row[name]) === plain(now[name]));
}

/** The database does not keep the order of keys. */
const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value ?? null);

function rowOf({ machineId, trackerId, protocol, message, receivedAt, raw, at }: Timed) {
  const { position, attributes, at: _, troubles: __, ...rest } = message;
  return {
    ...rest,
    ...position,
    attributes: Object.keys(attributes).length > 0 ? attributes : null,
    machine_id: machineId,
    tracker_id: trackerId,
    at: at.toISOString(),
    received_at: receivedAt.toISOString(),
    protocol,
    device: raw.device,
    media_type: raw.mediaType.slice(0, 200),
    body: Buffer.from(raw.body).toString('base64'),
  };
}
