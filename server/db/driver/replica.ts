/**
 * One replica: how far it has replayed the log, and its connections.
 *
 * One connection asks for the place periodically, and at once while a read waits for it. That only chooses a replica.
 * What proves the place is the check that precedes each statement on its own connection: a proxy may connect to several
 * servers, and a server that starts again may be behind what it had replayed before.
 */
import type { FastifyBaseLogger } from 'fastify';
import { DatabaseAway, type ReplicaState } from '../core/database';
import { bytesOf, type LogPosition } from '../core/logPosition';
import { pipeline } from '../core/pipeline';
import type { Connection, ConnectionOptions, StatementOptions } from './connection';
import { ConnectionPool, type Lease } from './connectionPool';

export interface ReplicaOptions {
  name: string;
  open(overrides?: Partial<ConnectionOptions>): Promise<Connection>;
  /** Connections for queries; streams have their own. */
  connections: number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** The replica had not replayed the position when a statement began. */
export class ReplicaLate extends Error {}

interface Place {
  bytes: number;
  timeline: number;
}

/** Milliseconds without an answer after which the replica counts as gone: statements in flight fail then. */
const answerLimit = 1000;
/** Milliseconds between attempts to connect. */
const connectEvery = 1000;
/** Milliseconds that a read waits for its position. */
const maxWait = 50;
/** Longest pause between two questions while a read waits, in milliseconds. */
const maxPause = 8;
/** Longest time in milliseconds for which a late replica is left alone. */
const maxRest = 5000;

/** A server's timeline moves in its control file with its first checkpoint on it, later than its replay. */
const timelineSql = `greatest((select timeline_id from pg_control_checkpoint()),
  (select min_recovery_end_timeline from pg_control_recovery()))`;
const placeSql = `select pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn()::text as lsn,
  ${timelineSql} as timeline`;
const checkSql = `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
  and ${timelineSql} >= $2::int as is_current`;

export class Replica {
  readonly streams: ConnectionPool;
  readonly pool: ConnectionPool;
  /** Key of results cached by write counts. Another after each loss: the server may return with another history. */
  source = {};
  private control: Connection | undefined;
  private place: Place | undefined;
  private asking: Promise<void> | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  private isUp: boolean | undefined;
  /** Places of the primary that were not replayed when last asked, oldest first. */
  private ahead: { at: number; bytes: number }[] = [];
  private replayedBytes = 0;
  private misses = 0;
  private restsUntil = 0;

  constructor(private readonly options: ReplicaOptions) {
    const open = () => options.open();
    const maxAge = 45 * 60_000;
    this.pool = new ConnectionPool({ name: 'replica', open, max: options.connections, maxAge });
    this.streams = new ConnectionPool({ name: 'replica_streams', open, max: 4, idleTimeout: 30_000, maxAge });
  }

  /** Asks for the place, once for all who wait. Never throws. */
  ask(): Promise<void> {
    this.asking ??= this.askPlace().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  /** May get to the position soon: it answers, has followed the primary's promotions, and is not resting. */
  mayReach({ timeline }: LogPosition): boolean {
    return this.place !== undefined && this.place.timeline >= timeline && performance.now() >= this.restsUntil;
  }

  get isAway(): boolean {
    return this.place === undefined;
  }

  has({ lsn, timeline }: LogPosition): boolean {
    return this.place !== undefined && this.place.timeline >= timeline && this.place.bytes >= bytesOf(lsn);
  }

  /** Waits a moment for the position. Resolves with whether it got there. */
  async reach(position: LogPosition): Promise<boolean> {
    const until = performance.now() + maxWait;
    for (let pause = 1; ; pause = Math.min(2 * pause, maxPause)) {
      await Promise.race([this.ask(), sleep(until - performance.now())]);
      if (this.has(position)) {
        this.misses = 0;
        return true;
      }
      if (performance.now() + pause >= until || this.isAway) break;
      await sleep(pause);
    }
    // Others must not wait in vain, too: it rests longer with every miss.
    if (performance.now() >= this.restsUntil) {
      this.misses += 1;
      this.restsUntil = performance.now() + Math.min(maxRest, 100 * 2 ** this.misses);
    }
    return false;
  }

  /**
   * Runs a statement that sees all up to the position.
   * @throws ReplicaLate where it was not replayed
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

  async check(lease: Pick<Lease, 'query'>, { lsn, timeline }: LogPosition): Promise<void> {
    const [row] = await lease.query<{ is_current: boolean | null }>(checkSql, [lsn, timeline], { prepare: true });
    if (row?.is_current !== true) throw new ReplicaLate(`${this.options.name} has not replayed ${lsn} yet.`);
  }

  /** Notes where the primary is, from which the lag follows. */
  noteAhead(bytes: number): void {
    if (bytes <= (this.ahead.at(-1)?.bytes ?? this.place?.bytes ?? 0)) return;
    this.ahead.push({ at: performance.now(), bytes });
    // Of a long time, fewer places.
    if (this.ahead.length > maxPlaces) this.ahead = this.ahead.filter((_, index) => index % 2 === 0);
  }

  get state(): ReplicaState {
    const [oldest] = this.ahead;
    const newest = this.ahead.at(-1);
    return {
      name: this.options.name,
      isUp: this.place !== undefined,
      lagSeconds: oldest ? (performance.now() - oldest.at) / 1000 : 0,
      lagBytes: newest ? Math.max(0, newest.bytes - this.replayedBytes) : 0,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.streams.close(), this.control?.close()]);
  }

  private async askPlace(): Promise<void> {
    try {
      if (!this.control?.isOpen) {
        if (performance.now() - this.triedAt < connectEvery) return;
        this.triedAt = performance.now();
        this.control = await this.options.open({ answerTimeout: answerLimit });
      }
      const [row] = await this.control.query<{ is_replica: boolean; lsn: string | null; timeline: number }>(
        placeSql,
        [],
        { prepare: true },
      );
      // Promoted: what it has replayed may not be the primary's log.
      if (!row?.is_replica || row.lsn === null) throw new DatabaseAway(new Error('It follows no primary.'));
      this.replayedBytes = bytesOf(row.lsn);
      this.place = { bytes: this.replayedBytes, timeline: row.timeline };
      while (this.ahead[0] && this.ahead[0].bytes <= this.replayedBytes) this.ahead.shift();
      this.report(true);
    } catch (error) {
      this.place = undefined;
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

/** Places kept per replica: four minutes of them, or longer with gaps. */
const maxPlaces = 1000;

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
