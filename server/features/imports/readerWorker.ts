/** Worker thread that reads a file, so that no file can stop the server. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ReadCell, sizeOf } from './importCell';
import { importFileKind } from './importFileKind';
import type { FileChoices } from './importTable';
import { readCsvTable } from './readCsvTable';
import { readWorkbookTable } from './readWorkbookTable';
import type { RowLimit } from './rowLimit';
import { surveyTable } from './surveyTable';
import { UnreadableFile } from './unreadableFile';

export interface ReaderData {
  bytes: Uint8Array;
  choices: FileChoices;
  headerRow?: number;
  limit: RowLimit;
  progressBuffer: SharedArrayBuffer;
}

/** Maximum rows per message, and maximum characters unless a single row exceeds them. */
const batchRows = 500;
const maxCharacters = 1_000_000;

const { bytes, choices, headerRow, limit, progressBuffer } = workerData as ReaderData;

/** Number of batches that the server has taken; the thread stays at most two batches ahead. */
const progress = new Int32Array(progressBuffer);

function readFile(): void {
  const kind = importFileKind(bytes);
  if (!kind) throw new UnreadableFile('import_kind');
  const table = kind === 'csv' ? readCsvTable(bytes, choices) : readWorkbookTable(bytes, kind, choices, limit.maxRows);
  const survey = surveyTable(table, { headerRow, limit });
  const { encoding, delimiter, sheets, sheet } = table;
  parentPort?.postMessage({
    facts: {
      kind,
      encoding,
      delimiter,
      sheets,
      sheet,
      header_row: survey.header_row,
      rows: survey.rows,
      formulas: table.formulaCount(),
    },
    survey,
  });
  let sentBatches = 0;
  let rows: { row: number; cells: ReadCell[] }[] = [];
  let characters = 0;
  const send = () => {
    for (
      let consumedBatches = Atomics.load(progress, 0);
      sentBatches - consumedBatches >= 2;
      consumedBatches = Atomics.load(progress, 0)
    )
      Atomics.wait(progress, 0, consumedBatches);
    parentPort?.postMessage({ rows });
    sentBatches += 1;
    rows = [];
    characters = 0;
  };
  let isPastHead = false;
  table.forEachRow((cells, row) => {
    if (row < survey.header_row || cells.every((cell) => cell === null)) return undefined;
    if (isPastHead) {
      rows.push({ row, cells });
      characters += sizeOf(cells);
    }
    isPastHead = true;
    if (rows.length === batchRows || characters > maxCharacters) send();
    return undefined;
  });
  if (rows.length > 0) send();
  parentPort?.postMessage({ end: true });
}

try {
  readFile();
} catch (error) {
  parentPort?.postMessage(
    error instanceof UnreadableFile
      ? { problem: { text: error.text, values: error.values } }
      : { problem: { text: 'import_damaged', values: {} } },
  );
}
