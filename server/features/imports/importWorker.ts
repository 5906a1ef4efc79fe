/**
 * Import worker: in each process two users at a time and one import of each. A worker sends heartbeats; an import whose
 * process ended is taken over by another one.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ImportState } from '../../../schema/shared/imports';
import { ApiError, type MessageRef } from '../../context/errors';
import type { Services } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { abandon, finishAbandoning } from './abandon';
import { dryRun } from './check';
import { commit } from './commit';
import { importerOf } from './importer';
import { countsOf } from './importRows';
import { isAbandoned, type Job, jobOf, setState } from './job';
import { Turns } from './turns';
import { UndoConflict, undoAtOnce } from './undo';
import { undoInPieces } from './undoInPieces';
import { Unreadable } from './unreadable';

const beat = 2_000;
/** Seconds without a heartbeat after which a process counts as gone. */
const patience = 15;
const mostAttempts = 3;
/** Users served at a time: a long import of one user delays nobody else. */
const lanes = 2;

class Cancelled extends Error {}

export interface Importing {
  /** Looks for waiting imports now. */
  wake(): void;
  /** Cancels an import that this process works on. */
  cancel(id: number): void;
  /** Ends after the current step, or gives it up; the next process starts it again. */
  stop(): Promise<void>;
}

export const workingStates: readonly ImportState[] = ['waiting', 'checking', 'committing', 'undoing'];

interface Running {
  id: number;
  isCancelled: boolean;
}

/** Starts with what an earlier process left unfinished. */
export function startImportWorker(services: Services): Importing {
  const { db, log, live } = services;
  const turns = new Turns(db, { worker: randomUUID(), states: workingStates, patience });
  const running = new Map<number, Running>();
  const working = new Set<Promise<void>>();
  let isEnding = false;
  let again = false;

  const wake = () => {
    again = true;
    while (working.size < lanes) {
      const lane: Promise<void> = work()
        .catch((err: unknown) => log.warn({ err }, 'the import worker failed'))
        .finally(() => {
          working.delete(lane);
        });
      working.add(lane);
    }
  };

  async function work(): Promise<void> {
    while (again && !isEnding) {
      again = false;
      for (let own = await turns.next(); own && !isEnding; own = await turns.next())
        try {
          await done(own.id);
        } finally {
          turns.end(own);
        }
    }
  }

  async function done(id: number): Promise<void> {
    const own = { id, isCancelled: false };
    running.set(id, own);
    let share = 0;
    let told = -1;
    const timer = setInterval(() => {
      const percent = Math.floor(share * 100);
      void beating(id, percent === told ? undefined : percent, own).catch((err: unknown) =>
        log.warn({ err }, 'storing the progress of an import failed'),
      );
      told = percent;
    }, beat);
    /** Undo cannot be cancelled; it stops only with the process. */
    const steady = (of: number) => {
      share = of;
      if (isEnding) throw new Cancelled();
    };
    const progress = (of: number) => {
      steady(of);
      if (own.isCancelled) throw new Cancelled();
    };
    try {
      await steps(id, { progress, steady }).catch((error: unknown) => fail(id, error, steady));
    } catch (error) {
      if (!(error instanceof Cancelled && isEnding)) throw error;
    } finally {
      clearInterval(timer);
      running.delete(id);
      // Given up or finished: others need not wait for the heartbeat to time out.
      await db.rows(sql`update import_jobs set worker = null, worked_at = null where import_id = ${id}::int`);
    }
    publish(id);
  }

  async function beating(id: number, percent: number | undefined, own: Running): Promise<void> {
    const found = await db.selectOne(
      { cancelled: pg.boolean },
      sql`update import_jobs set worked_at = now() where import_id = ${id}::int returning cancelled`,
    );
    own.isCancelled ||= found?.cancelled ?? true;
    if (percent === undefined) return;
    await db.rows(sql`update imports_state set progress = ${percent}::int where id = ${id}::int`);
    publish(id, { progress: percent });
  }

  async function steps(
    id: number,
    { progress, steady }: Record<'progress' | 'steady', (share: number) => void>,
  ): Promise<void> {
    const job = await jobOf(db, id);
    if (!job || !workingStates.includes(job.state)) return;
    const mark = await db.selectOne(
      { attempts: pg.integer, cancelled: pg.boolean },
      sql`select attempts, cancelled from import_jobs where import_id = ${id}::int`,
    );
    if (mark && mark.attempts > mostAttempts) throw new Unreadable('import_too_large');
    if (isAbandoned(job)) return finishAbandoning({ services, id, progress: steady });
    // Cancelled while it waited.
    if (mark?.cancelled) throw new Cancelled();
    const caller = await importerOf(db, job);
    if (!caller?.permissions.has(`${job.resource}.import`)) throw ApiError.unauthorized();
    const step = { services, caller, progress };
    if (job.state === 'undoing')
      return db.kind === 'pglite' ? undoOnEmbedded({ ...step, job, progress: steady }) : undoAtOnce({ ...step, job });
    if (job.state !== 'committing') {
      await setState(db, id, { state: 'checking', problem: null });
      publish(id, { state: 'checking', progress: 0 });
      const counts = await dryRun({ ...step, job });
      const goesOn = job.commits && (counts.error === 0 || job.settings.rows === 'good');
      await setState(db, id, { state: goesOn ? 'committing' : job.commits ? 'failed' : 'checked', counts });
      if (!goesOn) return;
    }
    publish(id, { state: 'committing', progress: 0 });
    const counts = await commit({ ...step, job: (await jobOf(db, id)) as Job });
    if (!counts) await abandon({ services, id, progress: steady }, { state: 'failed' });
  }

  async function undoOnEmbedded(step: Parameters<typeof undoInPieces>[0]): Promise<void> {
    const kept = await undoInPieces(step);
    const problem: MessageRef | null =
      kept > 0 ? { text: 'import_partly_undone', values: { smart_count: kept } } : null;
    await setState(db, step.job.id, { state: 'undone', problem, counts: await countsOf(db, step.job.id) });
  }

  /** @throws when the process ends or the database is unreachable: the import continues later */
  async function fail(id: number, error: unknown, steady: (share: number) => void): Promise<void> {
    if (error instanceof Cancelled && isEnding) throw error;
    const isForeseen =
      error instanceof Unreadable ||
      error instanceof ApiError ||
      error instanceof UndoConflict ||
      error instanceof Cancelled;
    if (!isForeseen) log.error({ err: error }, 'an import failed');
    const job = await jobOf(db, id);
    if (job?.state !== 'undoing')
      return abandon(
        { services, id, progress: steady },
        error instanceof Cancelled ? { state: 'cancelled' } : { state: 'failed', problem: problemSaid(error) },
      );
    // Rows that could not be undone are still imported.
    const problem: MessageRef = { text: db.kind === 'pglite' ? 'import_half_undone' : 'import_not_undone' };
    if (isAbandoned(job)) await setState(db, id, { state: 'failed', problem });
    else await setState(db, id, { state: 'done', ...(!(error instanceof Cancelled) && { problem }) });
  }

  const publish = (id: number, payload?: Record<string, unknown>) =>
    void live
      .publish([{ entity: 'imports', id, type: 'updated', payload }])
      .catch((err: unknown) => log.warn({ err }, 'publishing events of an import failed'));

  const timer = setInterval(wake, patience * 1000);
  timer.unref();
  wake();
  return {
    wake,
    cancel: (id) => {
      const own = running.get(id);
      if (own) own.isCancelled = true;
    },
    stop: async () => {
      isEnding = true;
      clearInterval(timer);
      await Promise.all(working);
    },
  };
}

function problemSaid(error: unknown): MessageRef {
  if (error instanceof Unreadable) return { text: error.text, values: error.values };
  return { text: error instanceof ApiError ? 'import_may_not' : 'import_failed' };
}
