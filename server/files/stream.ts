/** Sends rows as a file while they are read, never holding more than a few pieces of it. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FileDelimiter, type FileFormat, fileDelimiters, fileFormats } from '../../schema/shared/files';
import { ApiError } from '../context/errors';
import { errorResponseOf } from '../http/errorHandler';
import { queryStringOf } from '../http/http';
import { byteOrderMark, type Cell, csvLine } from './csv';
import { counted, encodeFrames, framed } from './frames';
import { xlsxOf } from './xlsx';

export interface FileKind {
  format: FileFormat;
  /** Of csv. */
  delimiter: FileDelimiter;
}

/** What kind of file a call asks for: `format`, `delimiter`. */
export function fileKindOf(request: FastifyRequest, usual: FileFormat): FileKind {
  const asked = new URLSearchParams(queryStringOf(request));
  const choice = <T extends string>(name: string, choices: readonly T[], otherwise: T): T => {
    const given = asked.get(name) ?? otherwise;
    const found = choices.find((one) => one === given);
    if (!found) throw ApiError.invalidAt(name, { key: 'one_of', values: { values: choices.join(', ') } });
    return found;
  };
  return { format: choice('format', fileFormats, usual), delimiter: choice('delimiter', fileDelimiters, ',') };
}

const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Rows as `pieceSql` prints them. */
export type Pieces = AsyncIterable<readonly { piece: string | null; rows: number }[]>;

export interface Sheet extends FileKind {
  /** The file's name without its ending, and the sheet's unless that has its own. */
  name: string;
  sheet?: string;
  head: readonly string[];
  /** Of the columns in pixels, where they are not as wide as usual; csv knows none. */
  widths?: readonly (number | undefined)[];
  pieces: Pieces;
  /** Puts a row into words; the pieces are JSON then, whatever the format. */
  say?: ((row: readonly unknown[]) => Cell[]) | undefined;
}

/**
 * Answers with the sheet as an attachment; to who accepts frames, in frames that say between its parts how many rows
 * they hold.
 */
export function sendSheet(
  reply: FastifyReply,
  { format, delimiter, name, sheet = name, head, widths, pieces: given, say }: Sheet,
): FastifyReply {
  const isFramed = reply.request.headers.accept === framed;
  const count = { rows: 0 };
  const pieces = isFramed ? counted(given, count) : given;
  const file =
    format === 'csv'
      ? csvOf(csvLine(head, delimiter), say ? linesOf(readSheetRows(pieces, say), delimiter) : pieces)
      : xlsxOf({ name: sheet, head, widths, batches: readSheetRows(pieces, say) });
  const bytes = isFramed
    ? encodeFrames(file, { count, problem: (error) => errorResponseOf(error, reply.request) })
    : file;
  return reply
    .type(isFramed ? framed : mediaTypes[format])
    .header('Content-Disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.${format}"`)
    .send(Readable.from(bytes, { objectMode: false }));
}

/** Aborted when the caller goes away. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const ended = new AbortController();
  reply.raw.once('close', () => ended.abort());
  return ended.signal;
}

async function* csvOf(head: string, pieces: Pieces): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + head);
  for await (const batch of pieces) for (const { piece } of batch) if (piece) yield Buffer.from(piece);
}

/** The rows of pieces that hold JSON. */
export async function* readSheetRows(pieces: Pieces, say?: Sheet['say']): AsyncGenerator<Cell[][]> {
  for await (const batch of pieces)
    for (const { piece } of batch) {
      if (!piece) continue;
      const rows = JSON.parse(`[${piece}]`) as Cell[][];
      yield say ? rows.map(say) : rows;
    }
}

async function* linesOf(
  batches: AsyncIterable<Cell[][]>,
  delimiter: FileDelimiter,
): AsyncGenerator<{ piece: string; rows: number }[]> {
  for await (const rows of batches)
    yield [{ piece: rows.map((row) => csvLine(row, delimiter)).join(''), rows: rows.length }];
}
