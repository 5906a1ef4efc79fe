/**
 * What devices report and what follows from it. Rows are written by `server/telemetry` only, and never by a form.
 * Machines are named by id without a foreign key: they are never removed, only put into the bin, and these tables take
 * many rows a second.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * Messages as they came, kept 30 days so that they can be replayed: cut into weeks (`partitions.ts`), so that old ones
 * leave at once.
 */
export const rawMessages = pgTable(
  'raw_messages',
  {
    id: bigserial('id', { mode: 'number' }).notNull(),
    received_at: moment('received_at').notNull(),
    protocol: text('protocol').notNull(),
    device: text('device').notNull(),
    tracker_id: integer('tracker_id'),
    /** For which it was sent, whatever the tracker is on now. */
    machine_id: integer('machine_id'),
    media_type: text('media_type').notNull(),
    body: bytes('body').notNull(),
  },
  (at) => [
    primaryKey({ columns: [at.id, at.received_at] }),
    index('raw_messages_received_at').on(at.received_at),
    index('raw_messages_machine').on(at.machine_id, at.received_at, at.id),
  ],
);

/**
 * One message of a machine, understood. The same machine, device time and kind count once. Cut into quarters
 * (`partitions.ts`).
 */
export const observations = pgTable(
  'observations',
  {
    machine_id: integer('machine_id').notNull(),
    /** Device time, or the time of receipt where the device's clock is not believed. */
    at: moment('at').notNull(),
    kind: text('kind').notNull(),
    received_at: moment('received_at').notNull(),
    raw_id: bigint('raw_id', { mode: 'number' }),
    protocol: text('protocol').notNull(),
    state: text('state').notNull(),
    reason: text('reason').notNull(),
    mode: text('mode'),
    battery: smallint('battery'),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    /** m/s */
    speed: doublePrecision('speed'),
    /** Degrees from north, clockwise. */
    heading: doublePrecision('heading'),
    /** Metres. */
    accuracy: doublePrecision('accuracy'),
    /** Metres above sea level. */
    altitude: doublePrecision('altitude'),
    /** Metres, a counter of the device. */
    odometer: doublePrecision('odometer'),
    /** m2, a counter of the device. */
    area_total: doublePrecision('area_total'),
    /** m2 since the message before, as the device said. */
    area: doublePrecision('area'),
    error: text('error'),
    message: text('message'),
    attributes: jsonb('attributes'),
  },
  (at) => [primaryKey({ columns: [at.machine_id, at.at, at.kind] })],
);

/**
 * The timeline: segments of a machine follow each other without hole or overlap from its first observation on; the last
 * one is open.
 */
export const segments = pgTable(
  'segments',
  {
    machine_id: integer('machine_id').notNull(),
    from_at: timestamp('from_at', { withTimezone: true, precision: 0 }).notNull(),
    to_at: timestamp('to_at', { withTimezone: true, precision: 0 }),
    state: text('state').notNull(),
    mode: text('mode'),
    /** Key of `texts.reasons`, and the moment it speaks of. */
    reason: text('reason').notNull(),
    reason_at: moment('reason_at').notNull(),
  },
  (at) => [
    primaryKey({ columns: [at.machine_id, at.from_at] }),
    uniqueIndex('segments_open').on(at.machine_id).where(sql`to_at is null`),
  ],
);

/**
 * Sums of segments per machine and local day of its location, in seconds. What is left of a day is Offline and is not
 * stored; the open segment counts up to the last message.
 */
export const machineDays = pgTable(
  'machine_days',
  {
    machine_id: integer('machine_id').notNull(),
    day: date('day').notNull(),
    cleaning: integer('cleaning').notNull().default(0),
    charging: integer('charging').notNull().default(0),
    parked: integer('parked').notNull().default(0),
    online: integer('online').notNull().default(0),
    robotic: integer('robotic').notNull().default(0),
    manual: integer('manual').notNull().default(0),
    teaching: integer('teaching').notNull().default(0),
    area_m2: doublePrecision('area_m2').notNull().default(0),
    distance_m: doublePrecision('distance_m').notNull().default(0),
    messages: integer('messages').notNull().default(0),
  },
  (at) => [primaryKey({ columns: [at.machine_id, at.day] }), index('machine_days_day').on(at.day)],
);

/** What has been heard of a machine last. `silent_at`: when it becomes Offline unless it reports; null once it has. */
export const machineWatch = pgTable(
  'machine_watch',
  {
    machine_id: integer('machine_id').primaryKey(),
    observed_at: moment('observed_at').notNull(),
    silent_at: moment('silent_at'),
  },
  (at) => [index('machine_watch_silent_at').on(at.silent_at).where(sql`silent_at is not null`)],
);

/**
 * From when on a machine's silence is borne for how long: its own `offline_after`, else its type's; without seconds as
 * the protocol says. Kept by triggers. Rows stay, so that the past is told by the limits that it had; `told`: the
 * timeline follows the change already.
 */
export const silenceLimits = pgTable(
  'silence_limits',
  {
    machine_id: integer('machine_id').notNull(),
    from_at: timestamp('from_at', { withTimezone: true, precision: 0 }).notNull(),
    seconds: integer('seconds'),
    told: boolean('told').notNull().default(false),
  },
  (at) => [
    primaryKey({ columns: [at.machine_id, at.from_at] }),
    index('silence_limits_untold').on(at.machine_id).where(sql`not told`),
  ],
);

/**
 * Where a machine stood: from when to when at which location, `to_at` open while it stands there. Kept by triggers,
 * whoever moves it. Where it was first entered it has stood ever since.
 */
export const machineStays = pgTable(
  'machine_stays',
  {
    machine_id: integer('machine_id').notNull(),
    location_id: integer('location_id').notNull(),
    from_at: moment('from_at').notNull(),
    to_at: moment('to_at'),
  },
  (at) => [
    primaryKey({ columns: [at.machine_id, at.from_at] }),
    index('machine_stays_location').on(at.location_id, at.machine_id),
    uniqueIndex('machine_stays_open').on(at.machine_id).where(sql`to_at is null`),
  ],
);

/**
 * What went wrong on a machine. Changes of state are no rows here: the timeline tells them, also when it is told anew.
 */
export const machineLogs = pgTable(
  'machine_logs',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    machine_id: integer('machine_id').notNull(),
    at: moment('at').notNull(),
    level: text('level').notNull(),
    /**
     * `error`: the device said so; `clock`: its clock is not believed, `told_at` is what it said; `refused`: a message
     * that came then cannot be read.
     */
    kind: text('kind').notNull(),
    code: text('code'),
    message: text('message'),
    told_at: moment('told_at'),
  },
  (at) => [
    index('machine_logs_machine_at').on(at.machine_id, at.at, at.id),
    index('machine_logs_errors').on(at.at).where(sql`kind = 'error'`),
  ],
);

/** SHA-256 of the secret under which a tracker may send batches. */
export const trackerSecrets = pgTable(
  'tracker_secrets',
  {
    tracker_id: integer('tracker_id').primaryKey(),
    hash: bytes('hash').notNull(),
    created_at: moment('created_at').notNull(),
  },
  (at) => [uniqueIndex('tracker_secrets_hash').on(at.hash)],
);

/** What trackers without a machine have sent. Those that nobody entered were made by their own first message. */
export const discoveredTrackers = pgTable('discovered_trackers', {
  tracker_id: integer('tracker_id').primaryKey(),
  protocol: text('protocol').notNull(),
  first_seen: moment('first_seen').notNull(),
  messages: integer('messages').notNull().default(1),
  last_payload: text('last_payload').notNull(),
  /** Where it was, as far as it has said so. */
  latitude: doublePrecision('latitude'),
  longitude: doublePrecision('longitude'),
});

/** One-time tickets that open an event stream in place of a token. */
export const eventTickets = pgTable('event_tickets', {
  hash: bytes('hash').primaryKey(),
  token_hash: bytes('token_hash').notNull(),
  expires_at: moment('expires_at').notNull(),
});
