/**
 * One replica: the position up to which it has replayed the log, and its connections.
 *
 * One connection reads that position periodically, and at once while a read waits for it. This only serves to choose a
 * replica. The proof is the check before each statement on the statement's own connection: a proxy may connect to
 * several servers, and a server that restarts may be behind what it had replayed before.
 */
import type { FastifyBaseLogger } from 'fastify';
import { DatabaseAway, type ReplicaState } from '../core/database';
import { type LogPosition, parseLsn } from '../core/logPosition';
import { pipeline } from '../core/pipeline';
import type { Connection, ConnectionOptions, StatementOptions } from './connection';
import { ConnectionPool, connectionAge, type Lease } from './connectionPool';

export interface ReplicaOptions {
  name: string;
  open(overrides?: Partial<ConnectionOptions>): Promise<Connection>;
  /** Connections for queries; streams have their own. */
  connections: number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** The replica had not replayed the position when a statement began. */
export class ReplicaLate extends Error {}

interface ReplayedPosition {
  bytes: number;
  timeline: number;
}

/** Milliseconds without a response after which the replica counts as gone, and statements in flight fail. */
const answerLimit = 1000;
/** Milliseconds between attempts to connect. */
const connectInterval = 1000;
/** Maximum milliseconds for which a read waits for its position. */
const maxWait = 50;
/** Maximum milliseconds between two checks of the position while a read waits. */
const maxCheckInterval = 8;
/** Maximum milliseconds for which a late replica gets no reads. */
const maxPauseAfterMisses = 5000;

/**
 * SQL: the timeline that a server has reached. Its control file names a new timeline only after the first checkpoint on
 * it, which is later than the replay.
 */
const timelineSql = `greatest((select timeline_id from pg_control_checkpoint()),
  (select min_recovery_end_timeline from pg_control_recovery()))`;
const positionSql = `select pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn()::text as lsn,
  ${timelineSql} as timeline`;
const checkSql = `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
  and ${timelineSql} >= $2::int as is_current`;

export class Replica {
  readonly streams: ConnectionPool;
  readonly pool: ConnectionPool;
  /** Key of results cached by write counts. Replaced after each loss: the server may come back with another history. */
  source = {};
  private control: Connection | undefined;
  private replayedPosition: ReplayedPosition | undefined;
  private currentRead: Promise<void> | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  private isUp: boolean | undefined;
  /** Positions of the primary that were not yet replayed at the last check, oldest first. */
  private pendingPositions: { at: number; bytes: number }[] = [];
  private replayedBytes = 0;
  private missCount = 0;
  private pausedUntil = 0;

  constructor(private readonly options: ReplicaOptions) {
    const open = () => options.open();
    this.pool = new ConnectionPool({ name: 'replica', open, max: options.connections, maxAge: connectionAge });
    this.streams = new ConnectionPool({
      name: 'replica_streams',
      open,
      max: 4,
      idleTimeout: 30_000,
      maxAge: connectionAge,
    });
  }

  /** Reads the replayed position, once for all callers that wait. Never throws. */
  readPosition(): Promise<void> {
    this.currentRead ??= this.readPositionNow().finally(() => {
      this.currentRead = undefined;
    });
    return this.currentRead;
  }

  /** Whether it may reach the position soon: it responds, has followed the primary's promotions, and is not paused. */
  mayReach({ timeline }: LogPosition): boolean {
    return (
      this.replayedPosition !== undefined &&
      this.replayedPosition.timeline >= timeline &&
      performance.now() >= this.pausedUntil
    );
  }

  get isAway(): boolean {
    return this.replayedPosition === undefined;
  }

  has({ lsn, timeline }: LogPosition): boolean {
    return (
      this.replayedPosition !== undefined &&
      this.replayedPosition.timeline >= timeline &&
      this.replayedPosition.bytes >= parseLsn(lsn)
    );
  }

  /** Waits up to `maxWait` for the position. Returns whether the replica reached it. */
  async reach(position: LogPosition): Promise<boolean> {
    const until = performance.now() + maxWait;
    for (let pause = 1; ; pause = Math.min(2 * pause, maxCheckInterval)) {
      await Promise.race([this.readPosition(), sleep(until - performance.now())]);
      if (this.has(position)) {
        this.missCount = 0;
        return true;
      }
      if (performance.now() + pause >= until || this.isAway) break;
      await sleep(pause);
    }
    // So that other reads do not wait in vain as well; longer with every miss.
    if (performance.now() >= this.pausedUntil) {
      this.missCount += 1;
      this.pausedUntil = performance.now() + Math.min(maxPauseAfterMisses, 100 * 2 ** this.missCount);
    }
    return false;
  }

  /**
   * Runs a statement that sees everything up to the position.
   * @throws ReplicaLate if the replica has not replayed it
   */
  async query<T>(
    position: LogPosition,
    text: string,
    params: readonly unknown[] = [],
    options: StatementOptions = {},
  ): Promise<T[]> {
    const lease = await this.pool.lease();
    try {
      // One round trip. The statement takes its snapshot after the check has succeeded.
      const [, rows] = await pipeline([this.check(lease, position), lease.query<T>(text, params, options)]);
      return rows;
    } finally {
      lease.release();
    }
  }

  /**
   * Checks on a connection that its server has replayed the position.
   * @throws ReplicaLate if not
   */
  async check(lease: Pick<Lease, 'query'>, { lsn, timeline }: LogPosition): Promise<void> {
    const [row] = await lease.query<{ is_current: boolean | null }>(checkSql, [lsn, timeline], { prepare: true });
    if (row?.is_current !== true) throw new ReplicaLate(`${this.options.name} has not replayed ${lsn} yet.`);
  }

  /** Records the position of the primary, from which the lag is computed. */
  recordPrimary(bytes: number): void {
    if (bytes <= (this.pendingPositions.at(-1)?.bytes ?? this.replayedPosition?.bytes ?? 0)) return;
    this.pendingPositions.push({ at: performance.now(), bytes });
    // Drops every second one, so that a long lag takes no more memory.
    if (this.pendingPositions.length > maxPositions)
      this.pendingPositions = this.pendingPositions.filter((_, index) => index % 2 === 0);
  }

  get state(): ReplicaState {
    const [oldest] = this.pendingPositions;
    const newestPosition = this.pendingPositions.at(-1);
    return {
      name: this.options.name,
      isUp: this.replayedPosition !== undefined,
      lagSeconds: oldest ? (performance.now() - oldest.at) / 1000 : 0,
      lagBytes: newestPosition ? Math.max(0, newestPosition.bytes - this.replayedBytes) : 0,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.streams.close(), this.control?.close()]);
  }

  private async readPositionNow(): Promise<void> {
    try {
      if (!this.control?.isOpen) {
        if (performance.now() - this.triedAt < connectInterval) return;
        this.triedAt = performance.now();
        this.control = await this.options.open({ answerTimeout: answerLimit });
      }
      const [row] = await this.control.query<{ is_replica: boolean; lsn: string | null; timeline: number }>(
        positionSql,
        [],
        { prepare: true },
      );
      // A promoted server: its log may not be that of the primary.
      if (!row?.is_replica || row.lsn === null) throw new DatabaseAway(new Error('It follows no primary.'));
      this.replayedBytes = parseLsn(row.lsn);
      this.replayedPosition = { bytes: this.replayedBytes, timeline: row.timeline };
      while (this.pendingPositions[0] && this.pendingPositions[0].bytes <= this.replayedBytes)
        this.pendingPositions.shift();
      this.report(true);
    } catch (error) {
      this.replayedPosition = undefined;
      this.source = {};
      this.pool.reset(error);
      this.streams.reset(error);
      this.report(false, error);
    }
  }

  private report(isUp: boolean, error?: unknown): void {
    if (this.isUp === isUp) return;
    this.isUp = isUp;
    const { log, name } = this.options;
    if (isUp) log.info({ replica: name }, 'reads go to the replica');
    else log.warn({ replica: name, err: error }, 'the replica is gone: reads go to the primary');
  }
}

/** Maximum number of `pendingPositions`: enough for four minutes without gaps. */
const maxPositions = 1000;

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
