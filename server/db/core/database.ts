/** What the server asks of its database, the same for embedded PGlite and for PostgreSQL. */
import type { SQL } from 'drizzle-orm';

/**
 * Values come back as: integers and bigint as number, numeric as string, timestamptz as Date, date as `YYYY-MM-DD`,
 * json parsed, arrays as arrays. Parameters: Date, arrays (as PostgreSQL arrays, cast them: `any(${ids}::int[])`) and
 * plain objects (as JSON, cast them: `${o}::jsonb`) are taken as they are.
 */
export interface Queries {
  rows<T = Record<string, unknown>>(query: SQL): Promise<T[]>;
  /** The first row, or `undefined`. */
  one<T = Record<string, unknown>>(query: SQL): Promise<T | undefined>;
  /** A statement already in text with `$1..$n`, prepared once per connection. */
  text<T = Record<string, unknown>>(text: string, params: readonly unknown[]): Promise<T[]>;
}

export interface Database extends Queries {
  kind: 'pglite' | 'postgres';
  /**
   * Commits when `work` resolves, rolls back when it throws. Serialization failures and deadlocks are tried again, so
   * `work` must not act outside the database.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  /** Statements asked without waiting travel together and are done in the order asked, each committed by itself. */
  inOrder<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Rows in batches with constant memory, from one snapshot. `ended`: nobody wants them any more, so that a server
   * stops finding them.
   */
  stream<T = Record<string, unknown>>(query: SQL, batch?: number, ended?: AbortSignal): AsyncIterable<T[]>;
  /** Hears `pg_notify` on a channel, after reconnects too; gives back how to stop. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Whether this process, of all that serve the database, is the one that does what `key` stands for. Once it ends or
   * its connection is lost another may be.
   */
  claim(key: number): Promise<boolean>;
  /**
   * Cuts all connections after a fault that may have left any of them in a wrong state; what is under way fails, the
   * next statement opens others.
   */
  reset(error: unknown): void;
  /** Resolves when the database answers a query, throws `DatabaseAway` when it does not. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The database cannot be reached: 503 with `Retry-After`. Thrown by every call in place of driver errors that mean so.
 */
export class DatabaseAway extends Error {
  constructor(cause?: unknown) {
    super('The database cannot be reached.', { cause });
    this.name = 'DatabaseAway';
  }
}

/**
 * There is no room to store anything, on the disk (SQLSTATE 53100) or in memory (53200): 507 with `Retry-After`. What
 * was asked has left nothing behind.
 */
export class DatabaseFull extends Error {
  constructor(cause?: unknown) {
    super('There is no room left to store anything.', { cause });
    this.name = 'DatabaseFull';
  }
}

/** A statement ran into its time limit or was cancelled (SQLSTATE 57014): 503 with `Retry-After`. */
export class StatementCancelled extends Error {
  constructor(cause?: unknown) {
    super('The statement was cancelled.', { cause });
    this.name = 'StatementCancelled';
  }
}

/** A unique key refused a row (SQLSTATE 23505); every driver's error is turned into this. */
export class UniqueViolation extends Error {
  constructor(readonly constraint: string) {
    super(`Unique constraint ${constraint}`);
    this.name = 'UniqueViolation';
  }
}

/** A foreign key refused a row or a deletion (SQLSTATE 23503). */
export class ForeignKeyViolation extends Error {
  constructor(readonly constraint: string) {
    super(`Foreign key ${constraint}`);
    this.name = 'ForeignKeyViolation';
  }
}
