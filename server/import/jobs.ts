/**
 * The work on imports, one at a time in each process. Whoever works says so every few seconds; what nobody works on any more, because its process
 * has ended, is taken up by another or by the next one.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ImportState } from '../../schema/imports';
import { Refusal, type Said } from '../api/errors';
import type { Services } from '../services';
import { check } from './check';
import { commit } from './commit';
import { importerOf } from './importer';
import { type Job, jobOf, setState } from './job';
import { Unreadable } from './reading/unreadable';
import { countsOf } from './staged';
import { Changed, undo } from './undo';

const beat = 2_000;
/** Seconds after which a process that said nothing counts as gone. */
const patience = 15;
const mostAttempts = 3;

class Cancelled extends Error {}

export interface Importing {
  /** Something waits to be done. */
  wake(): void;
  /** Stops an import that this process works on. */
  cancel(id: number): void;
  /** Ends after the step that runs, or gives it up: it is begun again by the next process. */
  stop(): Promise<void>;
}

const working: readonly ImportState[] = ['waiting', 'checking', 'committing', 'undoing'];

/** Begins with what an earlier process left behind. */
export function keepImporting(services: Services): Importing {
  const { db, log, live } = services;
  const worker = randomUUID();
  let running: { id: number; isCancelled: boolean } | undefined;
  let isEnding = false;
  let turn: Promise<void> | undefined;
  let again = false;

  const wake = () => {
    again = true;
    turn ??= work()
      .catch((err: unknown) => log.warn({ err }, 'imports could not be worked on'))
      .finally(() => {
        turn = undefined;
      });
  };

  async function work(): Promise<void> {
    while (again && !isEnding) {
      again = false;
      for (let id = await next(); id !== undefined && !isEnding; id = await next()) await done(id);
    }
  }

  /** Takes the oldest import that nobody works on. An embedded database has one process: whoever worked before is gone. */
  async function next(): Promise<number | undefined> {
    const isFree =
      db.kind === 'pglite'
        ? sql`j.worker is distinct from ${worker}`
        : sql`(j.worked_at is null or j.worked_at < now() - ${patience}::int * interval '1 second')`;
    const found = await db.one<{ id: number }>(sql`
      update import_jobs set worker = ${worker}, worked_at = now(), attempts = attempts + 1 where import_id = (
        select j.import_id from import_jobs j join imports i on i.id = j.import_id
        where i.state = any(${sql.param([...working])}::text[]) and ${isFree} order by j.import_id limit 1 for update of j skip locked)
      returning import_id as id`);
    return found?.id;
  }

  async function done(id: number): Promise<void> {
    const own = { id, isCancelled: false };
    running = own;
    let share = 0;
    let told = -1;
    const timer = setInterval(() => {
      const percent = Math.floor(share * 100);
      void beating(id, percent === told ? undefined : percent, own).catch((err: unknown) => log.warn({ err }, 'an import could not say how far it is'));
      told = percent;
    }, beat);
    const progress = (of: number) => {
      share = of;
      if (own.isCancelled || isEnding) throw new Cancelled();
    };
    try {
      await steps(id, progress);
    } catch (error) {
      if (!(error instanceof Cancelled)) await fail(id, error);
      else if (!isEnding) await setState(db, id, { state: (await jobOf(db, id))?.state === 'undoing' ? 'done' : 'cancelled' });
    } finally {
      clearInterval(timer);
      running = undefined;
      // Given up or finished: others need not wait for the silence.
      await db.rows(sql`update import_jobs set worker = null, worked_at = null where import_id = ${id}::int`);
    }
    publish(id);
  }

  async function beating(id: number, percent: number | undefined, own: { isCancelled: boolean }): Promise<void> {
    const found = await db.one<{ cancelled: boolean }>(sql`update import_jobs set worked_at = now() where import_id = ${id}::int returning cancelled`);
    own.isCancelled ||= found?.cancelled ?? true;
    if (percent === undefined) return;
    await db.rows(sql`update imports_state set progress = ${percent}::int where id = ${id}::int`);
    publish(id, { progress: percent });
  }

  async function steps(id: number, progress: (share: number) => void): Promise<void> {
    const job = await jobOf(db, id);
    if (!job) return;
    const attempts = (await db.one<{ attempts: number }>(sql`select attempts from import_jobs where import_id = ${id}::int`))?.attempts ?? 0;
    if (attempts > mostAttempts) throw new Unreadable('import_too_large');
    const caller = await importerOf(db, job);
    if (!caller?.permissions.has(`${job.resource}.import`)) throw Refusal.unauthorized();
    const step = { services, caller, progress };
    if (job.state === 'undoing') return undo({ ...step, job });
    if (job.state !== 'committing') {
      await setState(db, id, { state: 'checking', problem: null });
      publish(id, { state: 'checking', progress: 0 });
      const counts = await check({ ...step, job });
      const goesOn = job.commits && (counts.error === 0 || job.settings.rows === 'good');
      await setState(db, id, { state: goesOn ? 'committing' : job.commits ? 'failed' : 'checked', counts });
      if (!goesOn) return;
    }
    publish(id, { state: 'committing', progress: 0 });
    const counts = await commit({ ...step, job: (await jobOf(db, id)) as Job });
    if (!counts) await setState(db, id, { state: 'failed', counts: await countsOf(db, id) });
  }

  async function fail(id: number, error: unknown): Promise<void> {
    const isForeseen = error instanceof Unreadable || error instanceof Refusal || error instanceof Changed;
    if (!isForeseen) log.error({ err: error }, 'an import failed');
    // What could not be taken back is still done.
    const isUndoing = (await jobOf(db, id))?.state === 'undoing';
    await setState(db, id, { state: isUndoing ? 'done' : 'failed', problem: isUndoing ? { text: 'import_not_undone' } : saidBy(error) });
  }

  const publish = (id: number, payload?: Record<string, unknown>) =>
    void live
      .publish([{ entity: 'imports', id, type: 'updated', payload }])
      .catch((err: unknown) => log.warn({ err }, 'open pages could not be told of an import'));

  const timer = setInterval(wake, patience * 1000);
  timer.unref();
  wake();
  return {
    wake,
    cancel: (id) => {
      if (running?.id === id) running.isCancelled = true;
    },
    stop: async () => {
      isEnding = true;
      clearInterval(timer);
      await turn;
    },
  };
}

function saidBy(error: unknown): Said {
  if (error instanceof Unreadable) return { text: error.text, values: error.values };
  return { text: error instanceof Refusal ? 'import_may_not' : 'import_failed' };
}
