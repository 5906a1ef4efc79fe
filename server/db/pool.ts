/** A postgres.js pool with the product's value types. */
import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { valueTypes } from './types';

export type Pool = postgres.Sql<Record<string, unknown>>;

export interface PoolOptions {
  url?: string;
  /** Most connections at once. */
  max: number;
  user?: string;
  database?: string;
  connect_timeout?: number;
  idle_timeout?: number;
  /** `null`: never closed for its age. */
  max_lifetime?: number | null;
  target_session_attrs?: 'read-write';
  /** Seconds until the next try to connect. */
  backoff?(retries: number): number;
  /** Settings of each session. */
  connection: Record<string, string | number>;
  /** Connects in place of TCP. */
  socket?(): Promise<Duplex>;
  onclose?(): void;
  onnotify?(channel: string, payload: string): void;
}

/**
 * Settings of every session. Rows lie on solid-state disks or in memory, where an index costs no more than a scan of a small table; and statements are
 * short, so compiling them would cost more than it saves.
 */
export const sessionSettings = { TimeZone: 'UTC', random_page_cost: 1.1, jit: 'off' };

export function poolOf({ url, ...options }: PoolOptions): Pool {
  // `socket` and `onnotify` work and are missing in the driver's types.
  const all = { ...options, types: valueTypes, onnotice: () => {} } as unknown as postgres.Options<Record<string, never>>;
  return (url ? postgres(url, all) : postgres(all)) as unknown as Pool;
}
