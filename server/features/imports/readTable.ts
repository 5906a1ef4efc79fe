/** Reads a file in a separate thread, with limits on memory and time. */
import { type ImportFacts, importLimits } from '../../../schema/shared/imports';
import { startThread } from '../../shared/startThread';
import type { ReadCell } from './importCell';
import type { FileChoices } from './importTable';
import type { ReaderData } from './readerWorker';
import type { RowLimit } from './rowLimit';
import type { TableSurvey } from './surveyTable';
import { UnreadableFile } from './unreadableFile';

export interface ReadRow {
  row: number;
  cells: ReadCell[];
}

interface ReadTableRequest {
  bytes: Uint8Array;
  choices: FileChoices;
  headerRow?: number;
  limit: RowLimit;
  /** Called once, before the first rows. */
  onSurvey(facts: ImportFacts, survey: TableSurvey): Promise<void>;
  /** Called in order; the next call waits until this one resolves. */
  onRows(rows: ReadRow[]): Promise<void>;
}

type ReaderMessage =
  | { facts: ImportFacts; survey: TableSurvey }
  | { rows: ReadRow[] }
  | { end: true }
  | { problem: { text: ConstructorParameters<typeof UnreadableFile>[0]; values: Record<string, string | number> } };

/**
 * Reads a file and resolves when `onRows` has processed all rows.
 * @throws UnreadableFile if the file is invalid or too large
 */
export async function readTable({
  bytes,
  choices,
  headerRow,
  limit,
  onSurvey,
  onRows,
}: ReadTableRequest): Promise<void> {
  const progressBuffer = new SharedArrayBuffer(4);
  const progress = new Int32Array(progressBuffer);
  const thread = startThread(new URL('./readerWorker', import.meta.url), {
    workerData: { bytes, choices, headerRow, limit, progressBuffer } satisfies ReaderData,
    resourceLimits: { maxOldGenerationSizeMb: importLimits.megabytes },
    // Suppresses warnings that the library prints to the console.
    stdout: true,
    stderr: true,
  });
  thread.stdout.resume();
  thread.stderr.resume();
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new UnreadableFile('import_too_large')), importLimits.seconds * 1000);
      let pendingWork: Promise<void> = Promise.resolve();
      const enqueueWork = (work: () => Promise<void>) => {
        pendingWork = pendingWork.then(work);
        pendingWork.catch(reject);
      };
      thread.on('message', (message: ReaderMessage) => {
        if ('problem' in message) reject(new UnreadableFile(message.problem.text, message.problem.values));
        else if ('facts' in message) {
          // The time limit covers opening the file; processing the rows has no limit.
          clearTimeout(timer);
          enqueueWork(() => onSurvey(message.facts, message.survey));
        } else if ('end' in message) enqueueWork(async () => resolve());
        else
          enqueueWork(async () => {
            await onRows(message.rows);
            Atomics.add(progress, 0, 1);
            Atomics.notify(progress, 0);
          });
      });
      thread.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new UnreadableFile('import_too_large') : error),
      );
      thread.once('exit', (code) => code !== 0 && reject(new UnreadableFile('import_damaged')));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
