/**
 * Shares connections between callers: single statements, and leases that hold one connection exclusively. First come,
 * first served.
 */

import { DatabaseAway } from '../core/database';
import { type PoolName, startPoolWait } from '../core/poolMetrics';
import type { Connection, StatementOptions } from './connection';

/** Milliseconds after which connections with a server are replaced: their caches and prepared statements grow. */
export const connectionAge = 45 * 60_000;

export interface ConnectionPoolOptions {
  open(): Promise<Connection>;
  max: number;
  /** Name in the metrics. */
  name: PoolName;
  /** Statements of different callers in flight per connection; more than one where there is a single connection. */
  depth?: number;
  /** Milliseconds after which an unused connection is closed. */
  idleTimeout?: number;
  /** Milliseconds after which a connection is replaced, once it is unused. */
  maxAge?: number;
}

/** Exclusive use of one connection: for a transaction, or for statements that belong together. */
export interface Lease {
  /** Process id of the backend, for `pg_cancel_backend`. */
  readonly pid: number;
  readonly isOpen: boolean;
  query<T = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
    options?: StatementOptions,
  ): Promise<T[]>;
  /** Returns the connection to the pool. It must be outside a transaction. */
  release(): void;
  /** Destroys the connection because its state is unknown, and ends the lease. */
  discard(): void;
}

interface Member {
  connection: Connection;
  isLeased: boolean;
  /** Statements in flight outside of leases. */
  sharedStatements: number;
  idleSince: number;
}

interface Waiter {
  isExclusive: boolean;
  take(member: Member): void;
  fail(error: unknown): void;
}

export class ConnectionPool {
  private readonly members = new Set<Member>();
  private readonly waiting: Waiter[] = [];
  private readonly idleTimer: NodeJS.Timeout | undefined;
  private readonly max: number;
  private readonly depth: number;
  private opening = 0;
  private isClosing = false;

  constructor(private readonly options: ConnectionPoolOptions) {
    this.max = options.max;
    this.depth = options.depth ?? 1;
    if (options.idleTimeout || options.maxAge) this.idleTimer = setInterval(() => this.closeUnused(), 5000).unref();
  }

  /** Runs one statement on any connection. */
  async query<T = Record<string, unknown>>(
    text: string,
    params: readonly unknown[] = [],
    options: StatementOptions = {},
  ): Promise<T[]> {
    // No await if a connection is free: statements keep the order of the calls.
    const member = this.acquire(false) ?? (await this.wait(false));
    try {
      return await member.connection.query<T>(text, params, options);
    } finally {
      member.sharedStatements -= 1;
      this.free(member);
    }
  }

  /** Takes a connection out of shared use; statements in flight on it finish first. */
  async lease(): Promise<Lease> {
    const member = this.acquire(true) ?? (await this.wait(true));
    const { connection } = member;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      member.isLeased = false;
      this.free(member);
    };
    return {
      pid: connection.pid,
      get isOpen() {
        return isHeld && connection.isOpen;
      },
      query: (text, params, options) =>
        isHeld ? connection.query(text, params, options) : Promise.reject(new DatabaseAway()),
      release,
      discard: () => {
        if (isHeld) connection.destroy();
        release();
      },
    };
  }

  /**
   * Destroys all connections, whose state a fault may have corrupted. The next statement opens new ones.
   */
  reset(error: unknown): void {
    for (const { connection } of [...this.members]) connection.destroy(error);
    this.removeLost();
  }

  /** Rejects waiting callers, lets statements in flight finish (at most five seconds) and closes all connections. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.idleTimer);
    this.failWaiting(new DatabaseAway());
    await Promise.all([...this.members].map(({ connection }) => connection.close()));
    this.members.clear();
  }

  private acquire(isExclusive: boolean): Member | undefined {
    if (this.waiting.length > 0) return undefined;
    const member = this.findAvailable();
    if (member) occupy(member, isExclusive);
    return member;
  }

  private wait(isExclusive: boolean): Promise<Member> {
    if (this.isClosing) return Promise.reject(new DatabaseAway());
    const endWait = startPoolWait(this.options.name);
    return new Promise<Member>((resolve, reject) => {
      // Resolves at once. If a caller resumed later, a lease taken meanwhile would begin its transaction first, and the
      // caller's statement would run inside it.
      const take = (member: Member) => {
        endWait();
        resolve(member);
      };
      const fail = (error: unknown) => {
        endWait();
        reject(error);
      };
      this.waiting.push({ isExclusive, take, fail });
      this.serve();
    });
  }

  private findAvailable(): Member | undefined {
    let leastUsed: Member | undefined;
    for (const member of this.members) {
      if (member.isLeased || member.sharedStatements >= this.depth || !member.connection.isOpen) continue;
      if (!leastUsed || member.sharedStatements < leastUsed.sharedStatements) leastUsed = member;
    }
    return leastUsed;
  }

  /** Serves waiting callers in order, and opens another connection when none is free. */
  private serve(): void {
    for (;;) {
      const [next] = this.waiting;
      if (!next) return;
      const member = this.findAvailable();
      if (!member) {
        this.grow();
        return;
      }
      this.waiting.shift();
      occupy(member, next.isExclusive);
      next.take(member);
    }
  }

  private grow(): void {
    this.removeLost();
    while (!this.isClosing && this.members.size + this.opening < this.max && this.opening < this.waiting.length) {
      this.opening += 1;
      this.options.open().then(
        (connection) => {
          this.opening -= 1;
          if (this.isClosing) {
            void connection.close();
            return;
          }
          this.members.add({ connection, isLeased: false, sharedStatements: 0, idleSince: Date.now() });
          this.serve();
        },
        (error: unknown) => {
          this.opening -= 1;
          // All waiting callers fail now, instead of each after an attempt of its own.
          if (this.members.size === 0 && this.opening === 0) this.failWaiting(error);
        },
      );
    }
  }

  private free(member: Member): void {
    member.idleSince = Date.now();
    if (!member.connection.isOpen) this.members.delete(member);
    this.serve();
  }

  private removeLost(): void {
    for (const member of this.members) if (!member.connection.isOpen) this.members.delete(member);
  }

  private failWaiting(error: unknown): void {
    for (const waiter of this.waiting.splice(0)) waiter.fail(error);
  }

  private closeUnused(): void {
    const { idleTimeout = Number.POSITIVE_INFINITY, maxAge = Number.POSITIVE_INFINITY } = this.options;
    const now = Date.now();
    for (const member of this.members) {
      if (member.isLeased || member.sharedStatements > 0) continue;
      if (now - member.idleSince < idleTimeout && now - member.connection.openedAt < maxAge) continue;
      this.members.delete(member);
      void member.connection.close();
    }
  }
}

function occupy(member: Member, isExclusive: boolean): void {
  if (isExclusive) member.isLeased = true;
  else member.sharedStatements += 1;
}
