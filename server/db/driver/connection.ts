/**
 * One connection to a database, over an instance of postgres.js of its own.
 *
 * The library's pool, `begin` and `reserve` are not used. `begin` learns its connection only when the write returned
 * true and fewer than `max_pipeline` statements are under way, so that a transaction under back-pressure fails outside
 * every promise; `drain` hands a reserved connection to other callers; and a reserved connection that was lost is
 * written to all the same. Here an instance has one connection, which is never replaced: who holds it is decided by
 * `ConnectionPool` alone.
 */
import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { DatabaseAway } from '../core/database';
import { faultOf, isReadOnlyServer } from '../core/faults';
import { valueTypes } from '../core/types';

export interface ConnectionOptions {
  /** Opens the byte stream; called once. */
  openSocket(): Promise<Duplex>;
  /** Names user, password, database and TLS; the host is up to `openSocket`. */
  url?: string;
  user?: string;
  database?: string;
  /** Settings of the session. */
  settings: Record<string, string | number>;
  /** Milliseconds until the first answer. */
  connectTimeout: number;
  /** Milliseconds without an answer to the statement under way, after which the connection is given up. */
  answerTimeout: number;
  /** Gives the connection up when its server refuses writes, for another one may take them. */
  mustWrite?: boolean;
  onNotify?(channel: string, payload: string): void;
  /** The connection was lost or given up; called once, not after `close`. */
  onLost?(error: unknown): void;
}

export interface StatementOptions {
  /** Keeps the statement's plan on the connection. */
  prepare?: boolean;
  /** May take as long as it likes, as a migration does. */
  isUnlimited?: boolean;
}

interface PendingStatement {
  isUnlimited: boolean;
  reject(error: unknown): void;
}

type Instance = postgres.Sql<Record<string, unknown>>;

/**
 * Settings of every session. Rows lie on solid-state disks or in memory, where an index costs no more than a scan of a
 * small table; and statements are short, so compiling them would cost more than it saves.
 */
export const sessionSettings = { TimeZone: 'UTC', random_page_cost: 1.1, jit: 'off' };

export class Connection {
  readonly openedAt = Date.now();
  /** Of the server's process, for `pg_cancel_backend`. */
  pid = 0;
  private readonly instance: Instance;
  /** In the order sent, which is the order of the answers. */
  private readonly pending = new Set<PendingStatement>();
  private readonly watchdog: NodeJS.Timeout;
  private socket: Duplex | undefined;
  private lastProgress = 0;
  private state: 'open' | 'closing' | 'lost' = 'open';

  private constructor(private readonly options: ConnectionOptions) {
    this.instance = instanceOf(options, { openSocket: this.openSocket, onClose: () => this.lose(new DatabaseAway()) });
    this.watchdog = setInterval(() => this.checkProgress(), Math.min(1000, options.answerTimeout / 4)).unref();
  }

  /** @throws DatabaseAway when nobody answers in time */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    try {
      // `connectTimeout` is its limit: an embedded database may have to recover first.
      const [row] = await connection.query<{ pid: number }>('select pg_backend_pid() as pid', [], {
        isUnlimited: true,
      });
      connection.pid = row?.pid ?? 0;
      return connection;
    } catch (error) {
      // Whoever opens it hears of it by this error.
      connection.state = 'closing';
      connection.destroy(error);
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Statements sent and not yet answered. */
  get pendingCount(): number {
    return this.pending.size;
  }

  /**
   * Runs one statement; statements are executed in the order of the calls. Without parameters `text` may hold several.
   * @throws the errors of `database.ts` in place of the driver's own
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
      const statement = this.instance.unsafe(text, values, { prepare: options.prepare });
      const settle = () => {
        this.pending.delete(entry);
        this.lastProgress = performance.now();
      };
      statement.then(
        (rows) => {
          settle();
          resolve(rows as unknown as T[]);
        },
        (error: unknown) => {
          settle();
          // The server was demoted: the next connection finds the one that takes writes now.
          if (this.options.mustWrite && isReadOnlyServer(error)) this.destroy(error);
          reject(faultOf(error));
        },
      );
    });
  }

  /** Ends the session politely. Resolves once it has ended, at the latest after five seconds. */
  async close(): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'closing';
    clearInterval(this.watchdog);
    await this.instance.end({ timeout: 5 });
  }

  /** Cuts the connection; what is under way fails. */
  destroy(error: unknown = new DatabaseAway()): void {
    this.lose(error);
    this.socket?.destroy();
  }

  private readonly openSocket = async (): Promise<Duplex> => {
    // After a loss the library would connect again by itself and go on with the rest of a transaction.
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
    // Frees what the library still holds; its queue would wait for a connection that never comes.
    void this.instance.end({ timeout: 0 });
    if (!isExpected) this.options.onLost?.(error);
  }
}

function instanceOf(
  { url, user, database, settings, connectTimeout, onNotify }: ConnectionOptions,
  { openSocket, onClose }: { openSocket(): Promise<Duplex>; onClose(): void },
): Instance {
  // `socket` and `onnotify` work and are missing in the driver's types.
  const options = {
    // A second host would make the library pass over the failure of the first.
    host: 'localhost',
    ...(url ? {} : { user, database }),
    max: 1,
    // Statements wait in the library, in order: the limit of its pipeline is none of ours.
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
