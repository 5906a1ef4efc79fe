/** Settings and limits of imports, shared by server and pages. */

/**
 * States of an import. `checked`: validated, but nothing is written yet. In `waiting`, `checking`, `committing` and
 * `undoing`, a job works on the import; in the other states nothing happens.
 */
export const importStates = [
  'waiting',
  'checking',
  'checked',
  'committing',
  'done',
  'undoing',
  'undone',
  'failed',
  'cancelled',
] as const;
export type ImportState = (typeof importStates)[number];

/** Whether an import creates missing rows, changes existing rows, or both (`upsert`). */
export const importModes = ['upsert', 'create', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** Result of a row of the file. */
export const rowActions = ['create', 'update', 'unchanged', 'error'] as const;
export type RowAction = (typeof rowActions)[number];

/** Accepted extensions of file names; the content determines the kind of file. */
export const importEndings = ['xlsx', 'xls', 'csv'] as const;

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'macintosh'] as const;
export type Encoding = (typeof encodings)[number];
export const delimiters = [',', ';', '\t', '|'] as const;
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** How to read a file, and what to do with its rows. Missing settings about the file are detected from its content. */
export interface ImportSettings {
  mode: ImportMode;
  /** `all`: nothing is written if any row has a problem. `good`: rows with problems are skipped. */
  rows: 'all' | 'good';
  /** Meaning of an empty cell for an existing row: keep the stored value, or clear it. */
  empty: 'keep' | 'clear';
  sheet?: string;
  /** Row of the column headings, counted from 1. */
  header_row?: number;
  encoding?: Encoding;
  delimiter?: string;
  date_order?: DateOrder;
  decimal?: ',' | '.';
  /**
   * Maps column headings to fields; `null` skips a column. A column whose heading is empty or repeated is named by its
   * position: `#3`.
   */
  mapping?: Record<string, string | null>;
  /** Values for fields that no column fills, written as in a cell; references are ids. */
  fixed?: Readonly<Record<string, string>>;
  /** Meaning of the file's words, by field: a choice, `true` or `false`, the id of a reference. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Reference fields, such as `type_id`: for a name that matches no row, the import creates a row. Works only for rows
   * that need nothing but a name.
   */
  create_missing?: readonly string[];
}

export const defaultSettings: ImportSettings = { mode: 'upsert', rows: 'all', empty: 'keep' };

/**
 * Size limits of a file. `embeddedRows`: rows on the embedded database, whose only session all users share. `entries`:
 * files in a workbook. `unpacked`: bytes of the unzipped workbook. `characters`: total of all cells; repeated texts
 * count each time. `megabytes`: memory of the reader thread. `cell`: characters of a cell.
 */
export const importLimits = {
  bytes: 25 * 1024 * 1024,
  rows: 200_000,
  embeddedRows: 50_000,
  columns: 200,
  entries: 2_000,
  unpacked: 160 * 1024 * 1024,
  characters: 100_000_000,
  seconds: 120,
  megabytes: 512,
  cell: 20_000,
} as const;

/** Maximum unfinished imports per user. */
export const maxUnfinishedImports = 20;

/** A column of a file and its target field. */
export interface ImportColumn {
  /** Zero-based. */
  index: number;
  head: string;
  /** Key of the column in `mapping`: its heading, or its position if the heading is not unique. */
  key: string;
  /** The field that the column fills, or `null`. `fleet` fills `fleet_id` by name. */
  target: string | null;
  /** Why the column fills no field. */
  left_out?: 'read_only' | 'unknown' | 'chosen' | 'twice';
  /** The first non-empty cells. */
  samples: readonly string[];
}

/** What was detected in a file. */
export interface ImportFacts {
  kind: 'csv' | 'xlsx' | 'xls';
  encoding?: Encoding;
  delimiter?: string;
  sheets: readonly string[];
  sheet?: string;
  header_row: number;
  rows: number;
  /** Number of cells computed by a formula. */
  formulas: number;
}

/** Maximum rows of an import; fewer on the embedded database, because all users share its only session. */
export const maxImportRows = (database: 'pglite' | 'postgres'): number =>
  database === 'pglite' ? importLimits.embeddedRows : importLimits.rows;
