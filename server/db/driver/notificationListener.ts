/**
 * Receives `pg_notify` over a connection that reconnects with all its channels, however long the database was
 * unreachable.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../core/database';
import type { Connection } from './connection';
import type { ConnectionPool } from './connectionPool';

type Listener = (payload: string) => void;

export class NotificationListener {
  private readonly channels = new Map<string, Set<Listener>>();
  private isReconnecting = false;
  private isClosed = false;

  constructor(private readonly log: Pick<FastifyBaseLogger, 'warn'>) {}

  /** Connections must get this as `onNotify`. */
  readonly notify = (channel: string, payload: string): void => {
    for (const listener of this.channels.get(channel) ?? []) listener(payload);
  };

  /** Subscribes a new connection to every channel. */
  async attach(connection: Connection): Promise<Connection> {
    for (const channel of this.channels.keys()) await connection.query(`listen ${quote(channel)}`);
    return connection;
  }

  /** `Database.listen` over a pool of one connection. The pool must `attach` each connection that it opens. */
  listenOn(pool: ConnectionPool): Database['listen'] {
    return async (channel, listener) => {
      const listeners = this.channels.get(channel);
      this.channels.set(channel, (listeners ?? new Set<Listener>()).add(listener));
      if (!listeners) await pool.query(`listen ${quote(channel)}`);
      return async () => {
        const remaining = this.channels.get(channel);
        remaining?.delete(listener);
        if (remaining?.size !== 0) return;
        this.channels.delete(channel);
        await pool.query(`unlisten ${quote(channel)}`).catch(() => undefined);
      };
    };
  }

  /** Makes the pool reconnect. Must be called when its connection was lost. */
  async reconnect(pool: ConnectionPool): Promise<void> {
    if (this.isReconnecting) return;
    this.isReconnecting = true;
    while (!this.isClosed && this.channels.size > 0) {
      try {
        await pool.query('select 1');
        break;
      } catch (error) {
        this.log.warn({ err: error }, 'reconnecting the notification listener failed');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
    this.isReconnecting = false;
  }

  /** Stops reconnecting. */
  close(): void {
    this.isClosed = true;
  }
}

const quote = (channel: string) => `"${channel.replaceAll('"', '""')}"`;
