/**
 * SQL of the job queue (table `jobs`). Each function is a single statement, so a running job never occupies the only
 * session of the embedded database.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../db/core/database';
import { pg, type RowOf } from '../db/core/rowShape';

/** Announces new jobs by kind and cancelled ones by id to every process, when the transaction commits. */
export const jobsChannel = 'sweepline_jobs';

/** Seconds without a heartbeat after which a job may be leased by another worker; a kind may have its own. */
export const leaseSeconds = 30;

const leasedJobShape = {
  id: pg.uuid,
  kind: pg.text,
  dedupe_key: pg.text.nullable,
  secret: pg.bytea.nullable,
  /** Number of attempts, including this one. */
  attempts: pg.integer,
  created_at: pg.timestamptz,
  /** Id of the lease, new with every claim. */
  worker: pg.uuid,
};

export type LeasedJob<P extends object = object> = RowOf<typeof leasedJobShape> & { payload: P };

export interface NewJob {
  /** Stable over all attempts; random by default. */
  id?: string;
  /** A second job of the kind with this key is never added. */
  dedupeKey?: string;
  payload?: object;
  /** Sealed by the caller; the queue removes it when the job ends. */
  secret?: Uint8Array;
  runAt: Date;
  createdAt?: Date;
}

/** Which jobs a worker may claim, and in which order: SQL on the alias `j` of `jobs`. */
export interface ClaimOrder {
  where: SQL;
  order: SQL;
}

/** SQL: an instant of the application's clock. */
export const instantSql = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`;

/** Adds a job in the transaction `tx`: the job exists if and only if that commits. */
export const enqueue = (
  tx: Queries,
  kind: string,
  { id, dedupeKey, payload = {}, secret, runAt, createdAt }: NewJob,
): Promise<void> =>
  enqueueFrom(
    tx,
    kind,
    sql`select coalesce(${id ?? null}::uuid, gen_random_uuid()), ${dedupeKey ?? null}::text,
      ${JSON.stringify(payload)}::text::jsonb, ${secret ?? null}::bytea, ${instantSql(runAt)},
      coalesce(${createdAt?.toISOString() ?? null}::timestamptz, now())`,
  );

/** Adds a job per row of a query of `(id, dedupe_key, payload, secret, run_at, created_at)`. */
export async function enqueueFrom(tx: Queries, kind: string, source: SQL): Promise<void> {
  await tx.rows(sql`
    with added as (
      insert into jobs (kind, id, dedupe_key, payload, secret, run_at, created_at)
      select ${kind}::text, source.* from (${source}) source
      on conflict (kind, dedupe_key) do nothing returning 1
    )
    select pg_notify(${jobsChannel}, ${kind}) where exists (select from added)`);
}

/**
 * Cancels a job that has not ended. A running one is aborted by its `signal` at the commit of `tx`, and its result is
 * discarded. Returns whether there was one.
 */
export const cancelJob = async (tx: Queries, kind: string, dedupeKey: string): Promise<boolean> =>
  (await tx.one(sql`
    with cancelled as (
      update jobs set state = 'cancelled', secret = null, worker = null, lease_until = null, done_at = now()
      where kind = ${kind} and dedupe_key = ${dedupeKey} and state in ('queued', 'running') returning id
    )
    select id, pg_notify(${jobsChannel}, id::text)::text from cancelled`)) !== undefined;

/** Leases the next job of a kind: one that is due, or whose lease has expired. */
export const leaseJob = <P extends object>(
  db: Queries,
  { kind, worker, now, claim, lease }: { kind: string; worker: string; now: Date; claim?: ClaimOrder; lease: number },
): Promise<LeasedJob<P> | undefined> =>
  db.selectOne(
    { ...leasedJobShape, payload: pg.json<P>() },
    sql`
    update jobs set state = 'running', worker = ${worker}::uuid, attempts = attempts + 1,
      lease_until = ${leaseEndSql(lease)}
    where id = (
      select j.id from jobs j
      where j.kind = ${kind} and (j.state = 'queued' and j.run_at <= ${instantSql(now)}
        or j.state = 'running' and j.lease_until < now()) and ${claim?.where ?? sql`true`}
      order by ${claim ? sql`${claim.order}, ` : undefined}j.run_at, j.created_at limit 1 for update skip locked)
    returning id, kind, dedupe_key, secret, attempts, created_at, worker, payload`,
  );

const leaseEndSql = (seconds: number): SQL => sql`now() + ${seconds}::int * interval '1 second'`;

/** SQL condition: the job still has this lease. */
const ownLeaseWhere = ({ id, worker }: LeasedJob): SQL =>
  sql`id = ${id}::uuid and worker = ${worker}::uuid and state = 'running'`;

/** Extends a lease; returns whether it was still held. */
export const renewLease = async (db: Queries, job: LeasedJob, lease: number): Promise<boolean> =>
  (await db.one(sql`update jobs set lease_until = ${leaseEndSql(lease)} where ${ownLeaseWhere(job)} returning id`)) !==
  undefined;

/**
 * For work in several transactions: locks the job until `tx` ends, so that cancelling waits, and returns whether the
 * lease is still held. If not, `tx` must be rolled back.
 */
export const confirmLease = async (tx: Queries, job: LeasedJob): Promise<boolean> =>
  (await tx.one(sql`select 1 from jobs where ${ownLeaseWhere(job)} for no key update`)) !== undefined;

/** Starts counting attempts again, for a job whose progress is committed with `tx` and will not be repeated. */
export const resetJobAttempts = async (tx: Queries, job: LeasedJob): Promise<void> => {
  await tx.rows(sql`update jobs set attempts = 0 where ${ownLeaseWhere(job)}`);
};

export interface JobEnd {
  state: 'done' | 'dead';
  outcome?: string | null;
  error?: string | null;
  now: Date;
}

/** Stores the outcome of a job if its lease is still held; returns whether it was. */
export const endJob = async (
  tx: Queries,
  job: LeasedJob,
  { state, outcome = null, error = null, now }: JobEnd,
): Promise<boolean> =>
  (await tx.one(sql`
    update jobs set state = ${state}, outcome = ${outcome}, error = ${error}, secret = null, worker = null,
      lease_until = null, done_at = ${instantSql(now)}
    where ${ownLeaseWhere(job)} returning id`)) !== undefined;

/** Puts a job back into the queue. */
export const requeueJob = async (
  db: Queries,
  job: LeasedJob,
  { runAt, error, isAttemptCounted }: { runAt: Date; error: string | null; isAttemptCounted: boolean },
): Promise<void> => {
  await db.rows(sql`
    update jobs set state = 'queued', run_at = ${instantSql(runAt)}, error = ${error}, worker = null,
      lease_until = null, attempts = greatest(0, attempts - ${isAttemptCounted ? 0 : 1}::int)
    where ${ownLeaseWhere(job)}`);
};

/**
 * By kind: the number of jobs that are due or whose lease has expired, and the seconds that the oldest has waited. A
 * lease that `expireLeases` ended counts from the creation of its job.
 */
export const readJobBacklog = (db: Queries, now: Date): Promise<{ kind: string; jobs: number; seconds: number }[]> =>
  db.select(
    { kind: pg.text, jobs: pg.integer, seconds: pg.integer },
    sql`
    select kind, count(*)::int as jobs, greatest(0, extract(epoch from ${instantSql(now)} - min(due)))::int as seconds
    from (
      select kind, run_at as due from jobs where state = 'queued' and run_at <= ${instantSql(now)}
      union all
      select kind, greatest(lease_until, created_at) from jobs where state = 'running' and lease_until < now()
    ) waiting
    group by kind`,
  );

/** Expires all leases. For the start of the embedded database, since the process that held them has ended. */
export const expireLeases = (db: Queries): Promise<unknown> =>
  db.rows(sql`update jobs set lease_until = '-infinity' where state = 'running'`);
