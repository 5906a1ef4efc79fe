/**
 * Notifications (`pg_notify`), heard over a connection that comes back by itself, with every channel, however long the
 * database was away.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../core/database';
import type { Connection } from './connection';
import type { ConnectionPool } from './connectionPool';

type Listener = (payload: string) => void;

export class NotificationListener {
  private readonly channels = new Map<string, Set<Listener>>();
  private isReturning = false;
  private isClosed = false;

  constructor(private readonly log: Pick<FastifyBaseLogger, 'warn'>) {}

  /** Hand this to connections as `onNotify`. */
  readonly notify = (channel: string, payload: string): void => {
    for (const listener of this.channels.get(channel) ?? []) listener(payload);
  };

  /** Listens to every channel on a connection that was just opened. */
  async attach(connection: Connection): Promise<Connection> {
    for (const channel of this.channels.keys()) await connection.query(`listen ${quoted(channel)}`);
    return connection;
  }

  /** `Database.listen` over a pool of one connection, which attaches each that it opens. */
  listenOn(pool: ConnectionPool): Database['listen'] {
    return async (channel, listener) => {
      const known = this.channels.get(channel);
      this.channels.set(channel, (known ?? new Set<Listener>()).add(listener));
      if (!known) await pool.query(`listen ${quoted(channel)}`);
      return async () => {
        const left = this.channels.get(channel);
        left?.delete(listener);
        if (left?.size !== 0) return;
        this.channels.delete(channel);
        await pool.query(`unlisten ${quoted(channel)}`).catch(() => undefined);
      };
    };
  }

  /** Has the pool open its connection again; call it when that was lost. */
  async reconnect(pool: ConnectionPool): Promise<void> {
    if (this.isReturning) return;
    this.isReturning = true;
    while (!this.isClosed && this.channels.size > 0) {
      try {
        await pool.query('select 1');
        break;
      } catch (error) {
        this.log.warn({ err: error }, 'listening again failed');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
    this.isReturning = false;
  }

  /** Lost connections stay lost from here on. */
  close(): void {
    this.isClosed = true;
  }
}

const quoted = (channel: string) => `"${channel.replaceAll('"', '""')}"`;
