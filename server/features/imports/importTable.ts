/** A file as a table of cells. It can be read several times, and is never in memory as a whole. */
import type { Encoding } from '../../../schema/shared/imports';
import type { ReadCell } from './importCell';
import type { ImportFileKind } from './importFileKind';

export interface ImportTable {
  kind: ImportFileKind;
  encoding?: Encoding;
  delimiter?: string;
  sheets: readonly string[];
  sheet?: string;
  /** Calls `processRow` with every row and its number, counted from 1, until it returns `false`. */
  forEachRow(processRow: (cells: ReadCell[], row: number) => boolean | undefined): void;
  /** Number of formula cells seen by the last call of `forEachRow`. */
  formulaCount(): number;
}

/** What the user chose about the file. */
export interface FileChoices {
  sheet?: string;
  encoding?: Encoding;
  delimiter?: string;
}
