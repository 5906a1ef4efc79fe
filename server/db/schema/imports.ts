/** Tables of imports: rows as read, their results, and the state of the job. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instantColumn } from '../core/columns';
import { rowId } from './entities';

const importReference = () => integer('import_id').references(() => rowId('imports'), { onDelete: 'cascade' });

/** State of an import beyond its row. The file itself is in `files`. */
export const importJobs = pgTable('import_jobs', {
  import_id: importReference().primaryKey(),
  settings: jsonb('settings').notNull(),
  /**
   * Requester of the current step, if not the importer, and the API token used: a step has no more permissions than its
   * requester.
   */
  requester_id: integer('requester_id'),
  token_id: integer('token_id'),
  /** Whether the import commits by itself if no row has problems. */
  commits: boolean('commits').notNull().default(false),
  facts: jsonb('facts'),
  columns: jsonb('columns'),
  /** Names that references did not match, by field. */
  missing: jsonb('missing'),
  /** Validation snapshot of the dry run. */
  validation_snapshot: jsonb('validation_snapshot'),
  /** Problem with the file as a whole. */
  problem: jsonb('problem'),
  /** Rows of other entities that the commit has created so far; undone with it. */
  created_rows: jsonb('created_rows').notNull().default(sql`'[]'::jsonb`),
  /** Whether a commit that stops halfway ends as cancelled instead of failed. */
  cancelled: boolean('cancelled').notNull().default(false),
  /** Number of the latest step, which is a job of the kind `import` and the key `<import_id>/<step>`. */
  step: integer('step').notNull().default(0),
});

/** Import row: one row of the file. */
export const importRows = pgTable(
  'import_rows',
  {
    import_id: importReference().notNull(),
    /** Row number of the spreadsheet; the first is 1. */
    row: integer('row').notNull(),
    cells: jsonb('cells').notNull(),
    /** Cells corrected by hand, by column. */
    edited: jsonb('edited'),
    action: text('action').notNull(),
    /** Row of the entity that is updated or was created. */
    row_id: integer('row_id'),
    /** Natural key, by which two rows of the file may target the same row. */
    row_key: text('row_key'),
    problems: jsonb('problems'),
    /** Values that the import writes, and after the commit the values before. */
    changes: jsonb('changes'),
    before: jsonb('before'),
    /** Fingerprint of the row as the import left it. */
    fingerprint: text('fingerprint'),
  },
  (table) => [
    primaryKey({ name: 'import_rows_pkey', columns: [table.import_id, table.row] }),
    index('import_rows_action_idx').on(table.import_id, table.action, table.row),
    index('import_rows_key_idx').on(table.import_id, table.row_key),
  ],
);

/** Saved mapping for files with these headings. */
export const importMappings = pgTable(
  'import_mappings',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => rowId('users'), { onDelete: 'cascade' }),
    resource: text('resource').notNull(),
    /** SHA-256 of the headings. */
    headings_hash: text('headings_hash').notNull(),
    mapping: jsonb('mapping').notNull(),
    /** Further settings: values for every row, and meanings of words in the file. */
    settings: jsonb('settings'),
    used_at: instantColumn('used_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'import_mappings_pkey', columns: [table.user_id, table.resource, table.headings_hash] }),
  ],
);
