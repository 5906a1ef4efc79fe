/** What one entity may add to the calls that every entity has. */
import type { SQL } from 'drizzle-orm';
import type { Caller } from '../context/caller';
import type { FieldProblem } from '../context/errors';
import type { Routes, Services } from '../context/services';
import type { Queries } from '../db/core/database';

export interface WriteContext {
  tx: Queries;
  caller: Caller;
  services: Services;
  /** Of the row after the write; 0 before a creation. */
  id: number;
  /** The values sent, already valid on their own, without those no client may write. May be changed in place. */
  values: Record<string, unknown>;
  /** The row before the write, as stored; `undefined` on creation. */
  current: Record<string, unknown> | undefined;
  /** Bulk work: what `before` found out and what holds for its other rows, too. */
  known?: Map<string, unknown>;
  /** Notes what is wrong; all notes of a write become one 422. */
  fail(field: string, found: FieldProblem): void;
}

/** The change of an earlier row. */
export type RowEdit = WriteContext & { current: Record<string, unknown> };

export interface EntityHooks {
  /**
   * SQL of the fields with `store: 'derived'`. `row` is the alias of the entity's table, `state` that of its side
   * table.
   */
  derived?: Record<string, (at: { row: SQL; state: SQL; caller: Caller }) => SQL>;
  /** SQL of the word of each declared bucket of words that a row belongs to. */
  buckets?: Record<string, (at: { row: SQL; state: SQL }) => SQL>;
  /** Fields that exports for people write in words of their own: what to ask for, and how the answer is said. */
  printed?: Record<string, { sql(at: { row: SQL; caller: Caller }): SQL; say(value: unknown, caller: Caller): string }>;
  /** Further condition on the rows of a `many` relation with `narrowed`. */
  narrowed?: Record<string, (row: SQL) => SQL>;
  /** The names of files that rows of the entity hold beside those of image fields: a query of one column. */
  files?: SQL;
  /**
   * Fields that people may change on the row that is their own, without `<entity>.edit`. Of those `untold` they do not
   * hear whether somebody else has the value, so that asking tells nothing about strangers: `before` must ask for a
   * proof first.
   */
  own?: {
    fields: readonly string[];
    is(caller: Caller, id: number): boolean;
    untold?(caller: Caller): readonly string[];
  };
  /**
   * Judges and completes values before they are stored, after the rules of the declaration. It asks the database and
   * writes nothing.
   */
  before?(context: WriteContext): Promise<void>;
  /** Stores what does not live in the entity's own columns; the row exists. */
  after?(context: WriteContext): Promise<void>;
  /** Stores what follows from the change of earlier rows that all got the same values; a new one needs nothing. */
  afterEdit?(changes: readonly RowEdit[]): Promise<void>;
  /** Throws when the row must stay. */
  beforeDelete?(context: {
    tx: Queries;
    caller: Caller;
    services: Services;
    id: number;
    current: Record<string, unknown>;
  }): Promise<void>;
  /**
   * Stores what follows once rows went to the bin or came back from it; those that went or came along with another row
   * are not told.
   */
  afterBin?(context: {
    tx: Queries;
    caller: Caller;
    services: Services;
    rows: readonly Record<string, unknown>[];
  }): Promise<void>;
  /** Removes what other tables keep about rows that are removed for good, where no foreign key takes it along. */
  gone?(tx: Queries, ids: readonly number[]): Promise<void>;
  /** What happens once the write is committed: mails, live events of other rows. */
  committed?(context: {
    caller: Caller;
    services: Services;
    id: number;
    action: 'create' | 'edit' | 'delete' | 'restore';
    values: Record<string, unknown>;
  }): Promise<void>;
  /** As whom a caller without `<entity>.show` may look at single rows all the same, if they may. */
  viewer?(caller: Caller): Caller | undefined;
  /** What the answer for one row holds beside its fields. */
  shown?(services: Services, caller: Caller, id: number): Promise<Record<string, unknown>>;
  /** Calls beyond CRUD, with `may` and `within`. */
  routes?: Routes;
}
