/** A file as a table: rows of cells, read as often as they are needed and never all kept. */
import type { Encoding } from '../../../schema/shared/imports';
import type { ReadCell } from './cell';
import type { ImportFileKind } from './kind';

export interface ImportTable {
  kind: ImportFileKind;
  encoding?: Encoding;
  delimiter?: string;
  sheets: readonly string[];
  sheet?: string;
  /** Calls `take` with every row and its number, counted from 1, until it gives `false`. */
  each(take: (cells: ReadCell[], row: number) => boolean | undefined): void;
  /** Cells with formulas that the last `each` met. */
  formulas(): number;
}

/** What of the file somebody has chosen. */
export interface Chosen {
  sheet?: string;
  encoding?: Encoding;
  delimiter?: string;
}
