/**
 * What an import can be asked for, and what limits it: the same for the server that reads files and for the pages that
 * send them.
 */

/** `checked`: looked through, nothing written yet. The last four and `checked` are where an import rests. */
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

/** Whether rows that are not there yet are made, and those that are there changed. */
export const importModes = ['upsert', 'create', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** What becomes of a row of the file. */
export const rowActions = ['create', 'update', 'unchanged', 'error'] as const;
export type RowAction = (typeof rowActions)[number];

/** What a file may be called; what it is follows from its content. */
export const importEndings = ['xlsx', 'xls', 'csv'] as const;

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'macintosh'] as const;
export type Encoding = (typeof encodings)[number];
export const delimiters = [',', ';', '\t', '|'] as const;
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** How a file is to be read and what is to be done with its rows; what is not said is found out. */
export interface ImportSettings {
  mode: ImportMode;
  /** `all`: one wrong row and nothing is written. `good`: wrong rows are left out. */
  rows: 'all' | 'good';
  /** What an empty cell says of a row that exists: nothing, or that its field becomes empty. */
  empty: 'keep' | 'clear';
  sheet?: string;
  /** Row of the column heads, counted from 1. */
  header_row?: number;
  encoding?: Encoding;
  delimiter?: string;
  date_order?: DateOrder;
  decimal?: ',' | '.';
  /**
   * Column heads to fields; `null` leaves a column out. A head that is empty or appears twice is called by its place:
   * `#3`.
   */
  mapping?: Record<string, string | null>;
  /** What every row holds in fields that no column fills, written as in a cell; references by id. */
  fixed?: Readonly<Record<string, string>>;
  /** What words of the file mean, by field: a choice, `true` or `false`, the id of a reference. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** References whose missing names are added, where a name is all that they need: `type_id`. */
  create_missing?: readonly string[];
}

export const usualSettings: ImportSettings = { mode: 'upsert', rows: 'all', empty: 'keep' };

/**
 * How large a file may be. `embeddedRows`: most rows on the embedded database, which everybody shares one session of.
 * `unpacked`: bytes of a workbook once unzipped. `characters`: of all cells together, one text in many cells counted
 * each time. `megabytes`: of the thread that reads.
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

/** Imports of one person that may wait or be worked on at a time. */
export const mostUnfinished = 20;

/** A column of a file, and where its cells go. */
export interface ImportColumn {
  /** From 0. */
  index: number;
  head: string;
  /** How `mapping` calls it: its head, or its place where that is no name. */
  key: string;
  /** The field it fills, `null` for none. `fleet` is `fleet_id` by name. */
  target: string | null;
  /** Why it fills none: the field is not for writing, or nothing is called so. */
  left_out?: 'read_only' | 'unknown' | 'chosen' | 'twice';
  /** The first cells that are not empty. */
  samples: readonly string[];
}

/** What was found out about a file. */
export interface ImportFacts {
  kind: 'csv' | 'xlsx' | 'xls';
  encoding?: Encoding;
  delimiter?: string;
  sheets: readonly string[];
  sheet?: string;
  header_row: number;
  rows: number;
  /** Cells whose value was computed by a formula. */
  formulas: number;
}

/** Most rows of one import: the embedded database has one session for everybody and bears less. */
export const mostImportRows = (database: 'pglite' | 'postgres'): number =>
  database === 'pglite' ? importLimits.embeddedRows : importLimits.rows;
