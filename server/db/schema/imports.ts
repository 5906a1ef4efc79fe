/** What imports work with: their rows as read, what becomes of each, and how the work stands. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../core/columns';
import { rowId } from './entities';

const ofImport = () => integer('import_id').references(() => rowId('imports'), { onDelete: 'cascade' });

/** The work on an import. The file itself is in `files`. */
export const importJobs = pgTable('import_jobs', {
  import_id: ofImport().primaryKey(),
  settings: jsonb('settings').notNull(),
  /**
   * Who asked for the step that is worked on, where it is not the importer, and the API token that they used: no step
   * does what they may not.
   */
  asked_by: integer('asked_by'),
  token_id: integer('token_id'),
  /** Whether it writes by itself once no row is wrong. */
  commits: boolean('commits').notNull().default(false),
  facts: jsonb('facts'),
  columns: jsonb('columns'),
  /** Names that references were to find and did not, by field. */
  missing: jsonb('missing'),
  /** As things stood when the rows were judged. */
  judged: jsonb('judged'),
  /** What is wrong with the file as a whole. */
  problem: jsonb('problem'),
  /** Rows of other entities that its commit has added so far: they are taken back with it. */
  added: jsonb('added').notNull().default(sql`'[]'::jsonb`),
  cancelled: boolean('cancelled').notNull().default(false),
  /** How often it was begun: what ends the process each time is not begun for ever. */
  attempts: integer('attempts').notNull().default(0),
  /** The process that works on it, and when it last said so. */
  worker: text('worker'),
  worked_at: moment('worked_at'),
});

/** One row of a file. */
export const importRows = pgTable(
  'import_rows',
  {
    import_id: ofImport().notNull(),
    /** As the spreadsheet counts: the first one is 1. */
    row: integer('row').notNull(),
    cells: jsonb('cells').notNull(),
    /** Cells that were put right by hand, by column. */
    edited: jsonb('edited'),
    action: text('action').notNull(),
    /** The row of the entity: the one that is changed, or the one that was made. */
    row_id: integer('row_id'),
    /** What says which row is meant, where two rows of the file may mean the same. */
    row_key: text('row_key'),
    problems: jsonb('problems'),
    /** What the import would write, and once it has: what was there before. */
    changes: jsonb('changes'),
    before: jsonb('before'),
    /** A fingerprint of the row as the import left it. */
    print: text('print'),
  },
  (at) => [
    primaryKey({ name: 'import_rows_pkey', columns: [at.import_id, at.row] }),
    index('import_rows_action_idx').on(at.import_id, at.action, at.row),
    index('import_rows_key_idx').on(at.import_id, at.row_key),
  ],
);

/** Where people put the columns of files with these heads, for the next such file. */
export const importMappings = pgTable(
  'import_mappings',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => rowId('users'), { onDelete: 'cascade' }),
    resource: text('resource').notNull(),
    /** SHA-256 of the heads. */
    heads: text('heads').notNull(),
    mapping: jsonb('mapping').notNull(),
    /** What was said beside it: values for every row, and what words of the file mean. */
    settings: jsonb('settings'),
    used_at: moment('used_at').notNull().defaultNow(),
  },
  (at) => [primaryKey({ name: 'import_mappings_pkey', columns: [at.user_id, at.resource, at.heads] })],
);
