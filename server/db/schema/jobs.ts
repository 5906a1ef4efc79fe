/** The job queue (`server/jobs`): what is to be done, when, and what came of it. */
import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bytes, instantColumn } from '../core/columns';

export const jobs = pgTable(
  'jobs',
  {
    /** Stable over all attempts: receivers know a repeated delivery by it. */
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind').notNull(),
    /** One job per kind and key, ever: enqueuing it again does nothing. */
    dedupe_key: text('dedupe_key'),
    payload: jsonb('payload').notNull(),
    /** Content that nobody may read in the database, sealed by the server's key; removed when the job ends. */
    secret: bytes('secret'),
    /** `queued`, `running`, `done`, `dead` or `cancelled`. */
    state: text('state').notNull().default('queued'),
    /** By the clock of the application; leases go by that of the database. */
    run_at: instantColumn('run_at').notNull(),
    lease_until: instantColumn('lease_until'),
    /** Identifies the lease: holders of earlier ones can store nothing any more. */
    worker: uuid('worker'),
    /** Includes the one that runs. */
    attempts: smallint('attempts').notNull().default(0),
    /** Result of a finished job, in terms of its kind. */
    outcome: text('outcome'),
    /** Why the last attempt failed. */
    error: text('error'),
    created_at: instantColumn('created_at').notNull().defaultNow(),
    done_at: instantColumn('done_at'),
  },
  (at) => [
    uniqueIndex('jobs_kind_dedupe_key_key').on(at.kind, at.dedupe_key),
    index('jobs_queued').on(at.kind, at.run_at).where(sql`state = 'queued'`),
    index('jobs_running').on(at.lease_until).where(sql`state = 'running'`),
    index('jobs_dead').on(at.done_at).where(sql`state = 'dead'`),
    index('jobs_done_at_idx').on(at.done_at),
  ],
);
