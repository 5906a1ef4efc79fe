/**
 * One connection to a database, over its own instance of postgres.js.
 *
 * The pool, `begin` and `reserve` of the library are not used. `begin` gets its connection only if the write returned
 * true and fewer than `max_pipeline` statements are in flight, so a transaction under back-pressure fails outside of
 * any promise; `drain` gives a reserved connection to other callers; and statements are still written to a reserved
 * connection that was lost. Here each instance has one connection, which is never replaced; `ConnectionPool` alone
 * decides which caller uses it.
 */
import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { DatabaseAway } from '../core/database';
import { isReadOnlyServer, mapDriverError } from '../core/faults';
import { hasBytes, pg, type RowShape } from '../core/rowShape';
import { valueTypes } from '../core/valueTypes';
import type { ResultRows } from './rowChecks';

export interface ConnectionOptions {
  /** Opens the byte stream; called once. */
  openSocket(): Promise<Duplex>;
  /** User, password, database and TLS; its host is ignored in favour of `openSocket`. */
  url?: string;
  user?: string;
  database?: string;
  /** Settings of the session. */
  settings: Record<string, string | number>;
  /** Milliseconds until the first response. */
  connectTimeout: number;
  /** Milliseconds without progress on the statement in flight, after which the connection is destroyed. */
  answerTimeout: number;
  /** Destroys the connection when its server refuses writes, so that the pool finds the new primary. */
  mustWrite?: boolean;
  onNotify?(channel: string, payload: string): void;
  /** Called once when the connection is lost or destroyed, not after `close`. */
  onLost?(error: unknown): void;
}

export interface StatementOptions {
  /** Prepares the statement and keeps its plan on the connection. */
  prepare?: boolean;
  /** Shape of the result; columns of type `pg.utf8` are returned as bytes. */
  shape?: RowShape | undefined;
  /** Exempts the statement from `answerTimeout`, as for migrations. */
  isUnlimited?: boolean;
  /** Takes each row as it arrives; the result is empty then. Must not throw. */
  onRow?: ((row: unknown, columns: readonly RawColumn[]) => void) | undefined;
}

interface PendingStatement {
  isUnlimited: boolean;
  reject(error: unknown): void;
}

/** A column as the library describes it; a parser of arrays receives the text after the first brace. */
export interface RawColumn {
  name: string;
  type: number;
  parser?: ((text: string) => unknown) & { array?: boolean };
}

type Instance = postgres.Sql<Record<string, unknown>>;

export class Connection {
  readonly openedAt = Date.now();
  /** Process id of the backend, for `pg_cancel_backend`. */
  pid = 0;
  private readonly instance: Instance;
  /** Statements in flight, in the order sent, which is the order of the answers. */
  private readonly pending = new Set<PendingStatement>();
  private readonly watchdog: NodeJS.Timeout;
  private socket: Duplex | undefined;
  private lastProgress = 0;
  private state: 'open' | 'closing' | 'lost' = 'open';

  private constructor(private readonly options: ConnectionOptions) {
    this.instance = createInstance(options, {
      openSocket: this.openSocket,
      onClose: () => this.lose(new DatabaseAway()),
    });
    this.watchdog = setInterval(() => this.checkProgress(), Math.min(1000, options.answerTimeout / 4)).unref();
  }

  /** @throws DatabaseAway when no answer comes in time */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    try {
      // Limited by `connectTimeout` instead: an embedded database may have to recover before it answers.
      const [row] = await connection.query<{ pid: number }>('select pg_backend_pid() as pid', [], {
        isUnlimited: true,
      });
      connection.pid = row?.pid ?? 0;
      return connection;
    } catch (error) {
      // The caller gets the error, so `onLost` is not called.
      connection.state = 'closing';
      connection.destroy(error);
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Number of statements in flight. */
  get pendingCount(): number {
    return this.pending.size;
  }

  /**
   * Runs one statement; the server executes statements in the order of the calls. Without parameters, `text` may
   * contain several.
   * @throws errors of `database.ts` in place of the driver's
   */
  query<T = Record<string, unknown>>(
    text: string,
    params: readonly unknown[] = [],
    options: StatementOptions = {},
  ): Promise<T[]> {
    if (this.state !== 'open') return Promise.reject(new DatabaseAway());
    return new Promise((resolve, reject) => {
      const entry = { isUnlimited: options.isUnlimited === true, reject };
      if (this.pending.size === 0) this.lastProgress = performance.now();
      this.pending.add(entry);
      const values = params.map((value) =>
        Array.isArray(value) ? this.instance.typed(value as never, 0) : value,
      ) as never[];
      const { prepare, shape, onRow } = options;
      const statement = this.instance.unsafe(text, values, { prepare });
      const rawShape = shape && hasBytes(shape) ? shape : undefined;
      if (rawShape) statement.raw();
      if (onRow)
        (statement as unknown as RowStream).forEach((row, { columns, statement: { columns: described } }) => {
          this.lastProgress = performance.now();
          const rowColumns = columns ?? described;
          onRow(rawShape ? readRawRow(row as RawRow, rowColumns, rawShape) : row, rowColumns);
        });
      const answer = statement.then((rows) =>
        rawShape && !onRow ? readRawRows(rows as unknown as RawRows, rawShape) : rows,
      );
      const settle = () => {
        this.pending.delete(entry);
        this.lastProgress = performance.now();
      };
      answer.then(
        (rows) => {
          settle();
          resolve(rows as unknown as T[]);
        },
        (error: unknown) => {
          settle();
          // The server was demoted: reconnecting finds the new primary.
          if (this.options.mustWrite && isReadOnlyServer(error)) this.destroy(error);
          reject(mapDriverError(error));
        },
      );
    });
  }

  /** Ends the session gracefully. Resolves after at most five seconds. */
  async close(): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'closing';
    clearInterval(this.watchdog);
    await this.instance.end({ timeout: 5 });
  }

  /** Cuts the connection; statements in flight fail. */
  destroy(error: unknown = new DatabaseAway()): void {
    this.lose(error);
    this.socket?.destroy();
  }

  private readonly openSocket = async (): Promise<Duplex> => {
    // After a loss the library would reconnect by itself and continue in the middle of a transaction.
    if (this.state === 'lost' || this.socket) throw new DatabaseAway();
    this.socket = await this.options.openSocket();
    return this.socket;
  };

  private checkProgress(): void {
    const [head] = this.pending;
    if (!head || head.isUnlimited || performance.now() - this.lastProgress < this.options.answerTimeout) return;
    this.destroy(new DatabaseAway(new Error(`No answer for ${this.options.answerTimeout} ms`)));
  }

  private lose(error: unknown): void {
    if (this.state === 'lost') return;
    const isExpected = this.state === 'closing';
    this.state = 'lost';
    clearInterval(this.watchdog);
    const fault = error instanceof DatabaseAway ? error : new DatabaseAway(error);
    for (const { reject } of this.pending) reject(fault);
    this.pending.clear();
    // Drops the statements that the library has queued: they would wait for a connection that never opens.
    void this.instance.end({ timeout: 0 });
    if (!isExpected) this.options.onLost?.(error);
  }
}

/** Values of a row as the server sent them, in the order of the columns. */
type RawRow = (Buffer | null)[];
type RawRows = { columns: readonly RawColumn[] } & readonly RawRow[];

/**
 * `forEach` of the library, whose types lack the second argument. For a statement without parameters, `columns` of the
 * result is null until its end.
 */
interface RowStream {
  forEach(
    take: (
      row: unknown,
      result: { columns: readonly RawColumn[] | null; statement: { columns: readonly RawColumn[] } },
    ) => void,
  ): unknown;
}

/** Rows as the library would return them, but columns of type `pg.utf8` as bytes. */
const readRawRows = (rows: RawRows, shape: RowShape): ResultRows<Record<string, unknown>> =>
  Object.defineProperty(
    rows.map((values) => readRawRow(values, rows.columns, shape)),
    'columns',
    { value: rows.columns },
  );

function readRawRow(values: RawRow, columns: readonly RawColumn[], shape: RowShape): Record<string, unknown> {
  const read = (bytes: Buffer | null | undefined, { name, parser }: RawColumn) => {
    if (!bytes || shape[name] === pg.utf8) return bytes;
    const text = bytes.toString();
    return parser ? parser(parser.array ? text.slice(1) : text) : text;
  };
  return Object.fromEntries(columns.map((column, index) => [column.name, read(values[index], column)]));
}

function createInstance(
  { url, user, database, settings, connectTimeout, onNotify }: ConnectionOptions,
  { openSocket, onClose }: { openSocket(): Promise<Duplex>; onClose(): void },
): Instance {
  // `socket` and `onnotify` work but are missing in the driver's types.
  const options = {
    // With a second host the library would hide the failure of the first.
    host: 'localhost',
    ...(url ? {} : { user, database }),
    max: 1,
    // Statements queue in the library, in order; its pipeline limit plays no role.
    max_lifetime: null,
    idle_timeout: null,
    connect_timeout: connectTimeout / 1000,
    connection: settings,
    types: valueTypes,
    socket: openSocket,
    onnotice: () => {},
    onnotify: onNotify,
    onclose: onClose,
  } as unknown as postgres.Options<Record<string, never>>;
  return (url ? postgres(url, options) : postgres(options)) as unknown as Instance;
}
