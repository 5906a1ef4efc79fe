/** Reads a file in a thread of its own, within limits of memory and time. */
import { type ImportFacts, importLimits } from '../../../schema/shared/imports';
import { startThread } from '../../shared/thread';
import type { ReadCell } from './cell';
import type { RowLimit } from './limits';
import type { ReaderData } from './readerWorker';
import type { Survey } from './survey';
import type { Chosen } from './table';
import { Unreadable } from './unreadable';

export interface ReadRow {
  row: number;
  cells: ReadCell[];
}

interface ReadTableRequest {
  bytes: Uint8Array;
  chosen: Chosen;
  headerRow?: number;
  limit: RowLimit;
  /** Once, before the first rows. */
  surveyed(facts: ImportFacts, survey: Survey): Promise<void>;
  /** In order; the next rows wait until these are done. */
  take(rows: ReadRow[]): Promise<void>;
}

type Message =
  | { facts: ImportFacts; survey: Survey }
  | { rows: ReadRow[] }
  | { end: true }
  | { problem: { text: ConstructorParameters<typeof Unreadable>[0]; values: Record<string, string | number> } };

/** @throws Unreadable for what cannot be read or is too much */
export async function readTable({ bytes, chosen, headerRow, limit, surveyed, take }: ReadTableRequest): Promise<void> {
  const turns = new SharedArrayBuffer(4);
  const taken = new Int32Array(turns);
  const thread = startThread(new URL('./readerWorker', import.meta.url), {
    workerData: { bytes, chosen, headerRow, limit, turns } satisfies ReaderData,
    resourceLimits: { maxOldGenerationSizeMb: importLimits.megabytes },
    // The library prints what it does not know; that is nobody's news.
    stdout: true,
    stderr: true,
  });
  thread.stdout.resume();
  thread.stderr.resume();
  let late: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      late = setTimeout(() => reject(new Unreadable('import_too_large')), importLimits.seconds * 1000);
      let working: Promise<void> = Promise.resolve();
      const then = (work: () => Promise<void>) => {
        working = working.then(work);
        working.catch(reject);
      };
      thread.on('message', (message: Message) => {
        if ('problem' in message) reject(new Unreadable(message.problem.text, message.problem.values));
        else if ('facts' in message) {
          // From here on the time goes into the rows, not into the file.
          clearTimeout(late);
          then(() => surveyed(message.facts, message.survey));
        } else if ('end' in message) then(async () => resolve());
        else
          then(async () => {
            await take(message.rows);
            Atomics.add(taken, 0, 1);
            Atomics.notify(taken, 0);
          });
      });
      thread.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Unreadable('import_too_large') : error),
      );
      thread.once('exit', (code) => code !== 0 && reject(new Unreadable('import_damaged')));
    });
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
