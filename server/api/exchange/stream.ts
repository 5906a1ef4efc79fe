/** Sends rows as a file while they are read, never holding more than a batch. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { byteOrderMark, type Cell, csvLine } from './csv';
import { xlsxOf } from './xlsx';

export type FileFormat = 'csv' | 'xlsx';
export const isFileFormat = (format: unknown): format is FileFormat => format === 'csv' || format === 'xlsx';

const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export interface Sheet {
  format: FileFormat;
  /** The file's name without its ending, and the sheet's. */
  name: string;
  head: readonly string[];
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Answers with the sheet as an attachment. */
export function sendSheet(reply: FastifyReply, { format, name, head, rows }: Sheet): FastifyReply {
  const all = withHead(head, rows);
  const bytes = format === 'csv' ? csvOf(all) : xlsxOf(name, all);
  return reply
    .type(mediaTypes[format])
    .header('Content-Disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.${format}"`)
    .send(Readable.from(bytes, { objectMode: false }));
}

async function* withHead(head: readonly string[], rows: Sheet['rows']): AsyncGenerator<readonly (readonly Cell[])[]> {
  yield [head];
  yield* rows;
}

async function* csvOf(batches: Sheet['rows']): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark);
  for await (const rows of batches) yield Buffer.from(rows.map(csvLine).join(''));
}
