/** Notifications over a connection of their own that comes back by itself, with every channel, however long the database was away. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from './database';
import type { Pool } from './pool';

type Heard = (payload: string) => void;

export class Ears {
  private readonly channels = new Map<string, Set<Heard>>();
  private isReturning = false;

  /** Hand this to the pool as `onnotify`. */
  readonly hear = (channel: string, payload: string): void => {
    for (const heard of this.channels.get(channel) ?? []) heard(payload);
  };

  /** `Database.listen` over a pool of one connection. */
  listenOn(pool: Pool): Database['listen'] {
    return async (channel, heard) => {
      const known = this.channels.get(channel);
      this.channels.set(channel, (known ?? new Set<Heard>()).add(heard));
      if (!known) await pool.unsafe(`listen ${quoted(channel)}`);
      return async () => {
        const left = this.channels.get(channel);
        left?.delete(heard);
        if (left?.size !== 0) return;
        this.channels.delete(channel);
        await pool.unsafe(`unlisten ${quoted(channel)}`).catch(() => undefined);
      };
    };
  }

  /** Listens again after the connection was lost; call it from the pool's `onclose`. */
  async again(pool: Pool, log: FastifyBaseLogger, isClosing: () => boolean): Promise<void> {
    // Every failed try closes a connection too, which would start the next round beside this one.
    if (this.isReturning) return;
    this.isReturning = true;
    while (!isClosing() && this.channels.size > 0) {
      try {
        for (const channel of this.channels.keys()) await pool.unsafe(`listen ${quoted(channel)}`);
        break;
      } catch (error) {
        log.warn({ err: error }, 'listening again failed');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
    this.isReturning = false;
  }
}

const quoted = (channel: string) => `"${channel.replaceAll('"', '""')}"`;
