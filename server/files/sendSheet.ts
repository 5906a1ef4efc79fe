/** Streams rows as a file, with only a few pieces in memory. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FileDelimiter, type FileFormat, fileDelimiters, fileFormats } from '../../schema/shared/files';
import { ApiError } from '../context/errors';
import { pg, type RowOf } from '../db/core/rowShape';
import { errorResponseOf } from '../http/errorHandler';
import { queryStringOf } from '../http/http';
import { byteOrderMark, type Cell, csvLine } from './csv';
import { countRows, encodeFrames, framedMediaType } from './frames';
import { printXlsx } from './printXlsx';

export interface FileKind {
  format: FileFormat;
  /** Used by CSV only. */
  delimiter: FileDelimiter;
}

/** Reads the file type from the parameters `format` and `delimiter`. */
export function fileKindOf(request: FastifyRequest, fallback: FileFormat): FileKind {
  const parameters = new URLSearchParams(queryStringOf(request));
  const choice = <T extends string>(name: string, choices: readonly T[], defaultChoice: T): T => {
    const value = parameters.get(name) ?? defaultChoice;
    const match = choices.find((choice) => choice === value);
    if (!match) throw ApiError.invalidAt(name, { key: 'one_of', values: { values: choices.join(', ') } });
    return match;
  };
  return { format: choice('format', fileFormats, fallback), delimiter: choice('delimiter', fileDelimiters, ',') };
}

const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** A row of `pieceSql`. Its piece is empty if there are no rows. */
export const pieceShape = { piece: pg.utf8, rows: pg.integer };

type Piece = RowOf<typeof pieceShape>;

/** Batches of rows as printed by `pieceSql`. */
export type Pieces = AsyncIterable<readonly Piece[]>;

export interface Sheet extends FileKind {
  /** Name of the file without extension, and of the sheet unless `sheet` is set. */
  name: string;
  sheet?: string;
  head: readonly string[];
  /** Column widths in pixels, where not the default; ignored for CSV. */
  widths?: readonly (number | undefined)[];
  pieces: Pieces;
  /** Formats a row. Pieces are then JSON, even for CSV. */
  printRow?: ((row: readonly unknown[]) => Cell[]) | undefined;
}

/** Sends the sheet as an attachment; in frames with row counts if the client accepts frames. */
export function sendSheet(
  reply: FastifyReply,
  { format, delimiter, name, sheet = name, head, widths, pieces: source, printRow }: Sheet,
): FastifyReply {
  const isFramed = reply.request.headers.accept === framedMediaType;
  const count = { rows: 0 };
  const pieces = isFramed ? countRows(source, count) : source;
  const file =
    format === 'csv'
      ? csvOf(csvLine(head, delimiter), printRow ? linesOf(readSheetRows(pieces, printRow), delimiter) : pieces)
      : printXlsx({ name: sheet, head, widths, batches: readSheetRows(pieces, printRow) });
  const bytes = isFramed
    ? encodeFrames(file, { count, problem: (error) => errorResponseOf(error, reply.request) })
    : file;
  return reply
    .type(isFramed ? framedMediaType : mediaTypes[format])
    .header('Content-Disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}.${format}"`)
    .send(Readable.from(bytes, { objectMode: false }));
}

/** Returns a signal that aborts when the client disconnects. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const disconnect = new AbortController();
  reply.raw.once('close', () => disconnect.abort());
  return disconnect.signal;
}

async function* csvOf(head: string, pieces: Pieces): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + head);
  for await (const batch of pieces) for (const { piece } of batch) if (piece.length > 0) yield piece;
}

/** Prints rows as a piece for `printRow`. */
export const jsonPiece = (rows: readonly (readonly Cell[])[]): Piece => ({
  piece: Buffer.from(rows.map((row) => JSON.stringify(row)).join(',')),
  rows: rows.length,
});

/** Parses pieces of JSON rows. */
export async function* readSheetRows(pieces: Pieces, printRow?: Sheet['printRow']): AsyncGenerator<Cell[][]> {
  for await (const batch of pieces)
    for (const { piece } of batch) {
      if (piece.length === 0) continue;
      const rows = JSON.parse(`[${piece.toString()}]`) as Cell[][];
      yield printRow ? rows.map(printRow) : rows;
    }
}

async function* linesOf(batches: AsyncIterable<Cell[][]>, delimiter: FileDelimiter): AsyncGenerator<Piece[]> {
  for await (const rows of batches)
    yield [{ piece: Buffer.from(rows.map((row) => csvLine(row, delimiter)).join('')), rows: rows.length }];
}
