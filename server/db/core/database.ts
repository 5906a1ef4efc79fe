/** Interface of both databases, embedded PGlite and PostgreSQL. */
import type { SQL } from 'drizzle-orm';
import type { LogPosition } from './logPosition';
import type { RowOf, RowShape } from './rowShape';
import type { Statement } from './statement';

/**
 * Result types: integer and bigint as number, numeric as string, timestamptz as Date, date as `YYYY-MM-DD`, json
 * parsed, arrays as arrays. Parameters may be Dates, arrays (sent as PostgreSQL arrays; cast them:
 * `any(${ids}::int[])`) and plain objects (sent as JSON; cast them: `${o}::jsonb`).
 */
export interface Queries {
  /** Rows of a declared shape, which is compared with PostgreSQL's column types when the statement first runs. */
  select<Shape extends RowShape>(shape: Shape, query: SQL | Statement): Promise<RowOf<Shape>[]>;
  /** The first row, or `undefined`. */
  selectOne<Shape extends RowShape>(shape: Shape, query: SQL | Statement): Promise<RowOf<Shape> | undefined>;
  /** Unchecked rows, for computed columns and statements without a result. If the columns are known, use `select`. */
  rows(query: SQL | Statement): Promise<Record<string, unknown>[]>;
  /** The first row, or `undefined`: for whether a row exists, or whether a write changed one. */
  one(query: SQL | Statement): Promise<Record<string, unknown> | undefined>;
}

export interface TransactionOptions {
  /**
   * Milliseconds of silence of this process after which a server rolls back by itself, five seconds by default: until
   * then the rows are locked, even if the process hangs or was cut off. A computation that blocks the event loop must
   * be far shorter.
   */
  maxSilence?: number;
}

export interface Database extends Queries {
  kind: 'pglite' | 'postgres';
  /** Identifies the server that statements read: results cached by write counts hold for the same server only. */
  readonly source: object;
  /** Replicas to read from; undefined if the installation has none. */
  readonly replicas?: Replicas;
  /**
   * Commits when `work` resolves, rolls back when it throws. Retries on serialization failure and deadlock, so `work`
   * must have no effects outside the database.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs statements of `work` in the order of the calls, pipelined on one connection; each commits by itself. */
  inOrder<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Streams rows in batches with constant memory, from one snapshot. Aborting `signal` cancels the statement on a
   * server.
   */
  stream<Shape extends RowShape>(
    shape: Shape,
    query: SQL,
    batch?: number,
    signal?: AbortSignal,
  ): AsyncIterable<RowOf<Shape>[]>;
  /** Number of statements since the start of the process whose rows differ from their declared shape. */
  rowMismatches(): number;
  /** Subscribes to a `pg_notify` channel, across reconnects. Returns a function that unsubscribes. */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Tries to become the only process that does the work `key`. Returns whether it holds the claim. The claim ends with
   * the process or its connection; then another process may take it.
   */
  claim(key: number): Promise<boolean>;
  /** Gives up a claim, so that another process may take it. */
  unclaim(key: number): Promise<void>;
  /** Claims of all processes with keys from `first` to `last`. */
  claims(first: number, last: number): Promise<Claim[]>;
  /**
   * Cuts all connections after a fault that may have corrupted their state. Statements in flight fail; the next one
   * opens new connections.
   */
  reset(error: unknown): void;
  /**
   * Resolves when the database answers a query.
   * @throws DatabaseAway
   */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Outcome of a read that a replica may serve. */
export const replicaOutcomes = ['served', 'late', 'away', 'failed'] as const;
export type ReplicaOutcome = (typeof replicaOutcomes)[number];

export interface ReplicaState {
  /** Host and port. */
  name: string;
  /** Whether it responds and follows a primary. */
  isUp: boolean;
  /** Age of the oldest commit that it had not replayed at its last response. */
  lagSeconds: number;
  /** Bytes of the log that it had not replayed. */
  lagBytes: number;
}

/** Servers that follow the primary by streaming replication. */
export interface Replicas {
  /**
   * Runs `read`, which must not write, on a replica that has replayed `position`. Resolves to `undefined` if the caller
   * must use the primary: no replica reaches the position soon enough, or a statement failed there. Throws errors of
   * `read` itself.
   */
  tryRead<T>(position: LogPosition, read: (db: Database) => Promise<T>): Promise<{ value: T } | undefined>;
  states(): readonly ReplicaState[];
  /** Number of reads by outcome since the process started. */
  outcomes(): Readonly<Record<ReplicaOutcome, number>>;
}

export interface Claim {
  key: number;
  /** Backend of the process that holds the claim: the same for all claims of one process. */
  pid: number;
  isOurs: boolean;
}

/** The database is unreachable: 503 with `Retry-After`. Thrown in place of the driver's errors. */
export class DatabaseAway extends Error {
  constructor(cause?: unknown) {
    super('The database cannot be reached.', { cause });
    this.name = 'DatabaseAway';
  }
}

/** Out of disk (SQLSTATE 53100) or memory (53200): 507 with `Retry-After`. The failed statement has no effect. */
export class DatabaseFull extends Error {
  constructor(cause?: unknown) {
    super('There is no room left to store anything.', { cause });
    this.name = 'DatabaseFull';
  }
}

/** A statement hit its time limit or was cancelled (SQLSTATE 57014): 503 with `Retry-After`. */
export class StatementCancelled extends Error {
  constructor(cause?: unknown) {
    super('The statement was cancelled.', { cause });
    this.name = 'StatementCancelled';
  }
}

/** A unique key rejected a row (SQLSTATE 23505). */
export class UniqueViolation extends Error {
  constructor(readonly constraint: string) {
    super(`Unique constraint ${constraint}`);
    this.name = 'UniqueViolation';
  }
}

/** A foreign key rejected a row or a deletion (SQLSTATE 23503). */
export class ForeignKeyViolation extends Error {
  constructor(readonly constraint: string) {
    super(`Foreign key ${constraint}`);
    this.name = 'ForeignKeyViolation';
  }
}
