/**
 * Telemetry and what is derived from it. Written by `server/telemetry` only, never by forms. Machine ids have no
 * foreign key: machines are soft-deleted, and these tables take many rows per second.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
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
import { bytesColumn, instantColumn } from '../core/columns';

/**
 * Raw messages, for replays, until they are moved or dropped. Partitioned by week (`maintainPartitions.ts`): retention
 * drops partitions.
 */
export const rawMessages = pgTable(
  'raw_messages',
  {
    id: bigserial('id', { mode: 'number' }).notNull(),
    received_at: instantColumn('received_at').notNull(),
    protocol: text('protocol').notNull(),
    device: text('device').notNull(),
    tracker_id: integer('tracker_id'),
    /** The machine of the tracker at the time of sending. */
    machine_id: integer('machine_id'),
    media_type: text('media_type').notNull(),
    body: bytesColumn('body').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.received_at] }),
    index('raw_messages_received_at').on(table.received_at),
    index('raw_messages_machine').on(table.machine_id, table.received_at, table.id),
  ],
);

/**
 * Observations: at most one per machine, device time and kind; further messages are merged into it. Partitioned by
 * quarter (`maintainPartitions.ts`).
 */
export const observations = pgTable(
  'observations',
  {
    machine_id: integer('machine_id').notNull(),
    /** Device time, or the time of receipt if the device's clock is not trusted. */
    at: instantColumn('at').notNull(),
    kind: text('kind').notNull(),
    received_at: instantColumn('received_at').notNull(),
    /** Device time that is not trusted, by which repeated messages are recognised. */
    device_at: instantColumn('device_at'),
    /** The first raw message. */
    raw_id: bigint('raw_id', { mode: 'number' }),
    /** Whether further messages of the same time were merged into the observation. */
    is_merged: boolean('is_merged').notNull().default(false),
    protocol: text('protocol').notNull(),
    state: text('state').notNull(),
    reason: text('reason').notNull(),
    mode: text('mode'),
    /**
     * State keys (`timeline/stateKeys.ts`) of the message, and the state keys that apply after it. Null: the message
     * sends its whole state.
     */
    own_keys: smallint('own_keys'),
    state_keys: smallint('state_keys'),
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
    /** Metres; counter of the device. */
    odometer: doublePrecision('odometer'),
    /** Square metres; counter of the device. */
    area_total: doublePrecision('area_total'),
    /** Square metres since the previous message, as sent by the device. */
    area: doublePrecision('area'),
    error: text('error'),
    message: text('message'),
    attributes: jsonb('attributes'),
  },
  (table) => [
    primaryKey({ columns: [table.machine_id, table.at, table.kind] }),
    index('observations_device_at').on(table.machine_id, table.device_at).where(sql`device_at is not null`),
    index('observations_merged').on(table.machine_id).where(sql`is_merged`),
  ],
);

/** Timeline: segments of a machine without hole or overlap from its first observation; the last one is open. */
export const segments = pgTable(
  'segments',
  {
    machine_id: integer('machine_id').notNull(),
    from_at: timestamp('from_at', { withTimezone: true, precision: 0 }).notNull(),
    to_at: timestamp('to_at', { withTimezone: true, precision: 0 }),
    state: text('state').notNull(),
    mode: text('mode'),
    /** Key of `texts.reasons`, and the time that it refers to. */
    reason: text('reason').notNull(),
    reason_at: instantColumn('reason_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.machine_id, table.from_at] }),
    uniqueIndex('segments_open').on(table.machine_id).where(sql`to_at is null`),
  ],
);

/**
 * Daily sums of segments per machine and local day of its location, in seconds. The rest of a day is Offline and not
 * stored; the open segment counts up to the last message. On a day with a reported or entered run, `run_cleaning` and
 * `run_area_m2` are the sums of runs that count instead, null if runs have none; `reported_area_m2` is the part of the
 * area that was reported or entered (`runTriggers.ts`). Readers must use `countedDaysSql`.
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
    run_cleaning: integer('run_cleaning'),
    run_area_m2: doublePrecision('run_area_m2'),
    reported_area_m2: doublePrecision('reported_area_m2').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.machine_id, table.day] }), index('machine_days_day').on(table.day)],
);

/**
 * Queue of intervals of timelines in which cleaning changed, so that runs must be derived (`refreshDerivedRuns.ts`).
 */
export const runChanges = pgTable(
  'run_changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    machine_id: integer('machine_id').notNull(),
    from_at: instantColumn('from_at').notNull(),
    to_at: instantColumn('to_at').notNull(),
  },
  (table) => [index('run_changes_machine').on(table.machine_id)],
);

/** Queue of times of VDA 5050 states from which runs of orders must be derived again (`refreshOrderRuns.ts`). */
export const orderChanges = pgTable(
  'order_changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    machine_id: integer('machine_id').notNull(),
    from_at: instantColumn('from_at').notNull(),
    to_at: instantColumn('to_at').notNull(),
  },
  (table) => [index('order_changes_machine').on(table.machine_id)],
);

/** Machines whose timeline before a moment has no derived runs yet (`derivePastRuns.ts`). */
export const pastRuns = pgTable('past_runs', {
  machine_id: integer('machine_id').primaryKey(),
  before: instantColumn('before').notNull(),
});

/**
 * Last observation of a machine. `silent_at`: when the machine becomes Offline unless it sends again; null once it is.
 * Without an index on it: reading the whole table every few seconds costs less than an index entry per message.
 */
export const machineWatch = pgTable('machine_watch', {
  machine_id: integer('machine_id').primaryKey(),
  observed_at: instantColumn('observed_at').notNull(),
  silent_at: instantColumn('silent_at'),
});

/**
 * Offline policy of a machine by time: its own `offline_after`, else its type's; null seconds: its protocol's.
 * Maintained by triggers. Earlier rows remain, because the past is computed by the policy of its time. `is_applied`:
 * the timeline reflects the change.
 */
export const silenceLimits = pgTable(
  'silence_limits',
  {
    machine_id: integer('machine_id').notNull(),
    from_at: timestamp('from_at', { withTimezone: true, precision: 0 }).notNull(),
    seconds: integer('seconds'),
    is_applied: boolean('is_applied').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.machine_id, table.from_at] }),
    index('silence_limits_unapplied').on(table.machine_id).where(sql`not is_applied`),
  ],
);

/**
 * Stays of machines at locations; `to_at` is null for the current one. Maintained by triggers. A machine's first known
 * location counts from the beginning of time.
 */
export const machineStays = pgTable(
  'machine_stays',
  {
    machine_id: integer('machine_id').notNull(),
    location_id: integer('location_id').notNull(),
    from_at: instantColumn('from_at').notNull(),
    to_at: instantColumn('to_at'),
  },
  (table) => [
    primaryKey({ columns: [table.machine_id, table.from_at] }),
    // The expression is the last change of the stay: its beginning, or its end if it is over.
    index('machine_stays_change').on(table.location_id, sql`coalesce(to_at, from_at)`),
    uniqueIndex('machine_stays_open').on(table.machine_id).where(sql`to_at is null`),
  ],
);

/** Log of faults. State changes are not stored here: they are read from the timeline, which may be rebuilt. */
export const machineLogs = pgTable(
  'machine_logs',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    machine_id: integer('machine_id').notNull(),
    at: instantColumn('at').notNull(),
    level: text('level').notNull(),
    /**
     * `error`: reported by the device; `clock`: its clock is not trusted, `device_at` is its time; `refused`: a message
     * that could not be parsed.
     */
    kind: text('kind').notNull(),
    code: text('code'),
    message: text('message'),
    device_at: instantColumn('device_at'),
  },
  (table) => [
    index('machine_logs_machine_at').on(table.machine_id, table.at, table.id),
    index('machine_logs_errors').on(table.at).where(sql`kind = 'error'`),
  ],
);

/** SHA-256 of the secret that lets a tracker send batches. */
export const trackerSecrets = pgTable(
  'tracker_secrets',
  {
    tracker_id: integer('tracker_id').primaryKey(),
    hash: bytesColumn('hash').notNull(),
    created_at: instantColumn('created_at').notNull(),
  },
  (table) => [uniqueIndex('tracker_secrets_hash').on(table.hash)],
);

/** Last messages of trackers without a machine. An unknown device's first message creates its tracker. */
export const discoveredTrackers = pgTable('discovered_trackers', {
  tracker_id: integer('tracker_id').primaryKey(),
  protocol: text('protocol').notNull(),
  first_seen: instantColumn('first_seen').notNull(),
  messages: integer('messages').notNull().default(1),
  last_payload: text('last_payload').notNull(),
  /** Last known position, if any. */
  latitude: doublePrecision('latitude'),
  longitude: doublePrecision('longitude'),
});

/** Latest factsheet of each VDA 5050 vehicle. */
export const trackerFactsheets = pgTable('tracker_factsheets', {
  tracker_id: integer('tracker_id').primaryKey(),
  received_at: instantColumn('received_at').notNull(),
  factsheet_version: text('factsheet_version'),
  vehicle_type: text('vehicle_type'),
  /** Metres. */
  vehicle_length: doublePrecision('vehicle_length'),
  vehicle_width: doublePrecision('vehicle_width'),
  vehicle_height: doublePrecision('vehicle_height'),
});

/** Single-use tickets that open an event stream in place of a token. */
export const eventTickets = pgTable('event_tickets', {
  hash: bytesColumn('hash').primaryKey(),
  token_hash: bytesColumn('token_hash').notNull(),
  expires_at: instantColumn('expires_at').notNull(),
});
