/**
 * Runs the jobs of one kind, in every process that starts a worker for it. A job runs **at least once**: a worker that
 * dies loses its lease, and the job runs again under the same id. What a job changes through `effects` happens exactly
 * once, because it commits together with the end of the job.
 */
import { randomUUID } from 'node:crypto';
import type { Services } from '../context/services';
import type { Queries } from '../db/core/database';
import { jobKinds, jobSeconds } from './jobMetrics';
import {
  type ClaimOrder,
  endJob,
  jobsChannel,
  type LeasedJob,
  leaseJob,
  leaseSeconds,
  renewLease,
  requeueJob,
} from './jobQueue';

export interface JobResult {
  outcome: string;
  /** Runs in the transaction that ends the job, and again if that is retried. */
  effects?(tx: Queries): Promise<void>;
}

export interface JobKind<P extends object> {
  kind: string;
  /** Jobs that one process runs at a time. */
  concurrency: number;
  /** Seconds without a heartbeat until another process takes a job over; `leaseSeconds` by default. */
  lease?: number;
  /** `signal` aborts once the job is cancelled or the lease was lost. */
  run(job: LeasedJob<P>, signal: AbortSignal): Promise<JobResult>;
  /** Seconds until the next attempt after so many failed ones; `undefined`: the job is dead. */
  backOff(attempts: number): number | undefined;
  /** Whether no further attempt can help: the job is dead at once. */
  isHopeless?(error: unknown, job: LeasedJob<P>): boolean;
  /** Whether the error concerns every job of the kind: then all wait, and the attempt does not count. */
  isServerDown?(error: unknown): boolean;
  /** Called in the transaction that ends a job as dead. */
  onDead?(tx: Queries, job: LeasedJob<P>): Promise<void>;
  /** Order other than the oldest first. Called before every claim, after `run` of the previous job has begun. */
  claim?(): ClaimOrder;
}

export interface JobWorker {
  /** Looks for due jobs now. */
  wake(): void;
  /** Aborts a job if it runs here. */
  abort(id: string): void;
  /** Resolves when no job runs and none was due at the last check. */
  waitUntilIdle(): Promise<void>;
  /** Takes no more jobs; resolves when running ones have ended. */
  stop(): Promise<void>;
}

export type JobServices = Pick<Services, 'db' | 'log' | 'now'>;

/** Seconds for which a kind pauses, by the number of times in a row that its server was down. */
const pauseSeconds = [1, 10, 60, 300];
/** Milliseconds between polls for jobs that no notification announces: after a back-off or an expired lease. */
const pollInterval = 5000;

/** Thrown by a handler when its process ends: the job is queued again at once, and the attempt does not count. */
export class JobInterrupted extends Error {}

/** The lease expired during the last attempt: the job probably kills its process. */
class AttemptsExhausted extends Error {
  constructor() {
    super('The process ended in every attempt.');
  }
}

/** Runs the due jobs and returns; for tests, and for callers that control the clock. */
export async function runDueJobs<P extends object>(services: JobServices, kind: JobKind<P>): Promise<void> {
  const worker = createWorker(services, kind);
  worker.wake();
  await worker.waitUntilIdle();
}

/** Runs jobs as they become due: woken by notifications, else every five seconds. */
export function startJobWorker<P extends object>(services: JobServices, kind: JobKind<P>): JobWorker {
  const worker = createWorker(services, kind);
  const unlistenPromise = services.db
    .listen(jobsChannel, (payload) => (payload === kind.kind ? worker.wake() : worker.abort(payload)))
    .catch((err: unknown) =>
      services.log.warn({ err, kind: kind.kind }, 'job notifications are unavailable; polling only'),
    );
  const timer = setInterval(worker.wake, pollInterval).unref();
  worker.wake();
  return {
    ...worker,
    async stop() {
      clearInterval(timer);
      await worker.stop();
      await (await unlistenPromise)?.();
    },
  };
}

/** A worker without timers: it looks only when woken. */
function createWorker<P extends object>(services: JobServices, kind: JobKind<P>): JobWorker {
  const { db, log, now } = services;
  const { lease = leaseSeconds } = kind;
  jobKinds.add(kind.kind);
  /** Loops that each run one job after the other, at most `concurrency` of them. */
  const lanes = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  const runningJobs = new Map<string, AbortController>();
  let laneCount = 0;
  let lastClaim: Promise<unknown> = Promise.resolve();
  let isWoken = false;
  let isStopped = false;
  let serverFailures = 0;
  let pausedUntil = 0;

  const wake = () => {
    isWoken = true;
    // After a pause a single job probes whether the server is back.
    if (!isStopped && Date.now() >= pausedUntil && laneCount < (serverFailures > 0 ? 1 : kind.concurrency)) openLane();
  };

  function openLane(): void {
    laneCount += 1;
    const lane: Promise<void> = runLane()
      .catch((err: unknown) => log.warn({ err, kind: kind.kind }, 'claiming jobs failed'))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  }

  /** Runs one job after the other until none is due. A lane that claims a job opens the next lane. */
  async function runLane(): Promise<void> {
    try {
      while (!isStopped && Date.now() >= pausedUntil) {
        isWoken = false;
        const job = await claim();
        if (job) {
          wake();
          await runClaimedJob(job);
        } else if (!isWoken) return;
      }
    } finally {
      laneCount -= 1;
    }
  }

  /** Claims one at a time, so that each claim sees which job the previous one took. */
  function claim(): Promise<LeasedJob<P> | undefined> {
    const claimedJob = lastClaim.then(() =>
      leaseJob<P>(db, {
        kind: kind.kind,
        worker: randomUUID(),
        now: now(),
        claim: kind.claim?.(),
        lease,
      }),
    );
    lastClaim = claimedJob.catch(() => undefined);
    return claimedJob;
  }

  async function runClaimedJob(job: LeasedJob<P>): Promise<void> {
    const abortController = new AbortController();
    runningJobs.set(job.id, abortController);
    const heartbeat = setInterval(() => {
      void renewLease(db, job, lease).then(
        (isHeld) => isHeld || abortController.abort(),
        (err: unknown) => log.warn({ err, kind: kind.kind, id: job.id }, 'a lease could not be renewed'),
      );
    }, lease * 200);
    const startedAt = performance.now();
    const state = await attemptJob(job, abortController.signal)
      .catch((error: unknown) => settleFailure(job, error))
      .catch((err: unknown) => {
        log.warn({ err, kind: kind.kind, id: job.id }, 'the result of a job could not be stored');
        return 'lost';
      })
      .finally(() => {
        clearInterval(heartbeat);
        runningJobs.delete(job.id);
      });
    const seconds = (performance.now() - startedAt) / 1000;
    jobSeconds.observe({ kind: kind.kind, state }, seconds);
    // Completed jobs are routine: on the console of a new installation they would push the demo's logins out of sight.
    log[state === 'done' ? 'debug' : 'info'](
      { kind: kind.kind, id: job.id, attempts: job.attempts, state, seconds },
      'job',
    );
  }

  /** Runs a job and stores its end. */
  async function attemptJob(job: LeasedJob<P>, signal: AbortSignal): Promise<string> {
    if (job.attempts > 1 && kind.backOff(job.attempts - 1) === undefined) throw new AttemptsExhausted();
    const { outcome, effects } = await kind.run(job, signal);
    serverFailures = 0;
    return storeEnd(job, { state: 'done', outcome, effects });
  }

  async function settleFailure(job: LeasedJob<P>, error: unknown): Promise<string> {
    const { id, attempts } = job;
    if (error instanceof JobInterrupted) {
      await requeueJob(db, job, { runAt: now(), error: null, isAttemptCounted: false });
      return 'queued';
    }
    log.warn({ err: error, kind: kind.kind, id, attempts }, 'an attempt at a job failed');
    // PostgreSQL stores no NUL.
    const text = (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, 500);
    const isHopeless = error instanceof AttemptsExhausted || kind.isHopeless?.(error, job) === true;
    const isDown = !isHopeless && kind.isServerDown?.(error) === true;
    const waitSeconds = isHopeless ? undefined : isDown ? 0 : kind.backOff(attempts);
    if (waitSeconds === undefined)
      return storeEnd(job, {
        state: 'dead',
        error: text,
        effects: (tx) => kind.onDead?.(tx, job) ?? Promise.resolve(),
      });
    if (isDown) pause();
    else wakeIn(waitSeconds);
    await requeueJob(db, job, {
      runAt: new Date(now().getTime() + waitSeconds * 1000),
      error: text,
      isAttemptCounted: !isDown,
    });
    return 'queued';
  }

  async function storeEnd(
    job: LeasedJob<P>,
    {
      effects,
      ...jobEnd
    }: { state: 'done' | 'dead'; outcome?: string; error?: string; effects?: JobResult['effects'] },
  ): Promise<string> {
    const isStored = await (effects
      ? db.transaction(async (tx) => {
          const isHeld = await endJob(tx, job, { ...jobEnd, now: now() });
          if (isHeld) await effects(tx);
          return isHeld;
        })
      : endJob(db, job, { ...jobEnd, now: now() }));
    return isStored ? jobEnd.state : 'lost';
  }

  function pause(): void {
    // Another job that failed at the same time has set the pause already.
    if (Date.now() < pausedUntil) return;
    const seconds = pauseSeconds[Math.min(serverFailures, pauseSeconds.length - 1)] as number;
    serverFailures += 1;
    pausedUntil = Date.now() + seconds * 1000;
    wakeIn(seconds);
  }

  /** Wakes the worker after a short wait; longer ones end with a poll. */
  function wakeIn(seconds: number): void {
    if (seconds * 1000 > pollInterval || isStopped) return;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        wake();
      },
      seconds * 1000 + 1,
    ).unref();
    timers.add(timer);
  }

  async function waitUntilIdle(): Promise<void> {
    while (lanes.size > 0) await Promise.all(lanes);
  }

  return {
    wake,
    abort: (id) => runningJobs.get(id)?.abort(),
    waitUntilIdle,
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await waitUntilIdle();
    },
  };
}
