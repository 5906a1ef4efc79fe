/**
 * Runs imports as jobs: reading, committing and undoing take one job each. A process serves two users at a time, with
 * one import of each. If the process ends, another one continues the import.
 */
import { sql } from 'drizzle-orm';
import { ApiError, type MessageRef } from '../../context/errors';
import type { Services } from '../../context/services';
import { confirmLease, type LeasedJob, resetJobAttempts } from '../../jobs/jobQueue';
import { JobInterrupted, type JobKind, startJobWorker } from '../../jobs/jobWorker';
import { commit } from './commit';
import { dryRun, type ImportStepContext } from './dryRun';
import { endImport, finishAbandoning } from './endImport';
import { type ImportPayload, importKind, workingStates } from './enqueueStep';
import { loadImporter } from './importer';
import { readActionCounts } from './importRows';
import { ImportTurns } from './importTurns';
import { type ImportJob, isAbandoned, readImportJob, setImportState } from './job';
import { UndoConflict, undoAtOnce } from './undo';
import { undoInPieces } from './undoInPieces';
import { UnreadableFile } from './unreadableFile';

/** Milliseconds between two updates of the progress. */
const progressInterval = 2_000;
const maxAttempts = 3;
/** Users served at a time, so that a long import of one user delays nobody else. */
const concurrentUsers = 2;
/** Seconds of a lease; short, because a user is waiting until another process takes over. */
const lease = 15;

/** Thrown when the import was cancelled or taken over by another process, so that nothing more is stored. */
class LeaseLost extends Error {}

/** Runs imports until `stop()`, which interrupts them; another process then continues them. */
export function startImportWorker(services: Services): { stop(): Promise<void> } {
  const shutdown = new AbortController();
  const worker = startJobWorker(services, importJobs(services, shutdown.signal));
  return {
    stop: () => {
      shutdown.abort();
      return worker.stop();
    },
  };
}

/** The kind of job that runs a step. `shutdownSignal` aborts when the process is ending. */
function importJobs(services: Services, shutdownSignal: AbortSignal): JobKind<ImportPayload> {
  const turns = new ImportTurns();
  return {
    kind: importKind,
    concurrency: concurrentUsers,
    lease,
    backOff: (attempts) => (attempts < maxAttempts ? 0 : undefined),
    claim: () => turns.order(),
    async run(job, signal) {
      const { import_id: id, user_id } = job.payload;
      turns.begin(user_id);
      const requireRunning = () => {
        if (signal.aborted) throw new LeaseLost();
        if (shutdownSignal.aborted) throw new JobInterrupted();
      };
      try {
        await runImport(services, job, requireRunning);
        return { outcome: 'ended' };
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
        return { outcome: 'lost' };
      } finally {
        turns.end(user_id);
        publishImport(services, id);
      }
    },
    onDead: (tx, { payload }) =>
      endImport(services, tx, payload.import_id, { state: 'failed', problem: { text: 'import_too_large' } }),
  };
}

type StepTools = Pick<ImportStepContext, 'services' | 'reportProgress' | 'transaction' | 'recordProgress'>;

/** Runs the current step of an import and reports its progress. If the step fails, ends the import. */
async function runImport(
  services: Services,
  leasedJob: LeasedJob<ImportPayload>,
  requireRunning: () => void,
): Promise<void> {
  const { db, log } = services;
  const id = leasedJob.payload.import_id;
  let progressShare = 0;
  const tools: StepTools = {
    services,
    reportProgress: (fraction) => {
      progressShare = fraction;
      requireRunning();
    },
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        if (!(await confirmLease(tx, leasedJob))) throw new LeaseLost();
        return result;
      }),
    recordProgress: (tx) => resetJobAttempts(tx, leasedJob),
  };
  const stopProgress = startProgress(services, id, () => progressShare);
  try {
    await runStep(tools, id);
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof JobInterrupted) throw error;
    const isExpected = error instanceof UnreadableFile || error instanceof ApiError || error instanceof UndoConflict;
    if (!isExpected) log.error({ err: error }, 'an import failed');
    await tools.transaction((tx) => endImport(services, tx, id, { state: 'failed', problem: problemOf(error) }));
  } finally {
    stopProgress();
  }
}

/** Stores and publishes the progress of an import until the returned function is called. */
function startProgress(services: Services, id: number, currentShare: () => number): () => void {
  let storedPercent = -1;
  const timer = setInterval(() => {
    const percent = Math.floor(currentShare() * 100);
    if (percent === storedPercent) return;
    storedPercent = percent;
    void services.db.rows(sql`update imports_state set progress = ${percent}::int where id = ${id}::int`).then(
      () => publishImport(services, id, { progress: percent }),
      (err: unknown) => services.log.warn({ err }, 'storing the progress of an import failed'),
    );
  }, progressInterval);
  return () => clearInterval(timer);
}

async function runStep(tools: StepTools, id: number): Promise<void> {
  const { services, transaction } = tools;
  const { db } = services;
  const job = await readImportJob(db, id);
  if (!job || !workingStates.includes(job.state)) return;
  if (isAbandoned(job)) return finishAbandoning({ ...tools, job });
  const caller = await loadImporter(db, job);
  if (!caller?.permissions.has(`${job.resource}.import`)) throw ApiError.forbidden();
  const step: ImportStepContext = { ...tools, job, caller };
  if (job.state === 'undoing') return db.kind === 'pglite' ? undoOnEmbedded(step) : undoAtOnce(step);
  if (job.state !== 'committing') {
    await transaction((tx) => setImportState(tx, id, { state: 'checking', problem: null }));
    publishImport(services, id, { state: 'checking', progress: 0 });
    const counts = await dryRun(step);
    const isCommitDue = job.commits && (counts.error === 0 || job.settings.rows === 'good');
    const state = isCommitDue ? 'committing' : job.commits ? 'failed' : 'checked';
    await transaction((tx) => setImportState(tx, id, { state, counts }));
    if (!isCommitDue) return;
  }
  publishImport(services, id, { state: 'committing', progress: 0 });
  const counts = await commit({ ...step, job: (await readImportJob(db, id)) as ImportJob });
  if (!counts) await transaction((tx) => endImport(services, tx, id, { state: 'failed' }));
}

async function undoOnEmbedded(step: ImportStepContext): Promise<void> {
  const { id } = step.job;
  const retainedCount = await undoInPieces(step);
  const problem: MessageRef | null =
    retainedCount > 0 ? { text: 'import_partly_undone', values: { smart_count: retainedCount } } : null;
  await step.transaction(async (tx) =>
    setImportState(tx, id, { state: 'undone', problem, counts: await readActionCounts(tx, id) }),
  );
}

export const publishImport = ({ live, log }: Services, id: number, payload?: Record<string, unknown>): void =>
  void live
    .publish([{ entity: 'imports', id, type: 'updated', payload }])
    .catch((err: unknown) => log.warn({ err }, 'publishing events of an import failed'));

function problemOf(error: unknown): MessageRef {
  if (error instanceof UnreadableFile) return { text: error.text, values: error.values };
  return { text: error instanceof ApiError && error.status === 403 ? 'import_may_not' : 'import_failed' };
}
