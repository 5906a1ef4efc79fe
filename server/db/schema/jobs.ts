/** The job queue (`server/jobs`): jobs, their due times and their results. */
import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';

export const jobs = pgTable(
  'jobs',
  {
    /** Stable over all attempts, so that receivers recognise a repeated delivery. */
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind').notNull(),
    /** One job per kind and key while its row exists: enqueuing it again does nothing. */
    dedupe_key: text('dedupe_key'),
    payload: jsonb('payload').notNull(),
    /** Content that must not be readable in the database, sealed with the server's key; removed when the job ends. */
    secret: bytesColumn('secret'),
    /** `queued`, `running`, `done`, `dead` or `cancelled`. */
    state: text('state').notNull().default('queued'),
    /** By the clock of the application; leases use the clock of the database. */
    run_at: instantColumn('run_at').notNull(),
    lease_until: instantColumn('lease_until'),
    /** Id of the lease, new with every claim: the holder of an earlier one can no longer store a result. */
    worker: uuid('worker'),
    /** Number of attempts, including the present one. */
    attempts: smallint('attempts').notNull().default(0),
    /** Result of a finished job, in terms of its kind. */
    outcome: text('outcome'),
    /** Why the last attempt failed. */
    error: text('error'),
    created_at: instantColumn('created_at').notNull().defaultNow(),
    done_at: instantColumn('done_at'),
  },
  (table) => [
    uniqueIndex('jobs_kind_dedupe_key_key').on(table.kind, table.dedupe_key),
    index('jobs_queued').on(table.kind, table.run_at).where(sql`state = 'queued'`),
    index('jobs_running').on(table.lease_until).where(sql`state = 'running'`),
    index('jobs_dead').on(table.done_at).where(sql`state = 'dead'`),
    index('jobs_done_at_idx').on(table.done_at),
  ],
);
