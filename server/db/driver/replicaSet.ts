/** The replicas of `DATABASE_READ_URL`. Chooses one for each read; if it fails, the read goes to the primary. */
import type { FastifyBaseLogger } from 'fastify';
import { type Database, type ReplicaOutcome, type Replicas, StatementCancelled } from '../core/database';
import { type LogPosition, logPositionSql, parseLsn, readLogPosition } from '../core/logPosition';
import type { ConnectionPool } from './connectionPool';
import type { Host } from './parseHosts';
import { Replica, type ReplicaOptions } from './replica';

export interface ReplicaSetOptions {
  hosts: readonly Host[];
  /** Opens connections to one host. */
  createConnector(host: Host): ReplicaOptions['open'];
  /** Pool of the primary. */
  pool: ConnectionPool;
  connections: number;
  log: FastifyBaseLogger;
}

/** A database whose reads run on a replica. */
export interface ReplicaView {
  db: Database;
  /** Ends the use of the replica. Returns the first failure of its statements. */
  end(): { error: unknown } | undefined;
}

/** Milliseconds between two checks of each server's position while no read waits. */
const checkInterval = 250;

export class ReplicaSet {
  private readonly replicas: Replica[];
  private readonly timer: NodeJS.Timeout;
  private readonly counts: Record<ReplicaOutcome, number> = { served: 0, late: 0, away: 0, failed: 0 };
  private turn = 0;
  private isReadingPrimary = false;

  constructor(private readonly options: ReplicaSetOptions) {
    const { hosts, createConnector, connections, log } = options;
    this.replicas = hosts.map(
      (host) =>
        new Replica({
          name: host.path ?? `${host.host}:${host.port}`,
          open: createConnector(host),
          connections,
          log,
        }),
    );
    this.timer = setInterval(() => this.readPositions(), checkInterval).unref();
    this.readPositions();
  }

  /** Counts a stream that failed on the replica before its first rows. */
  countFailure(): void {
    this.counts.failed += 1;
  }

  /** The interface for callers; `createView` gives them a database whose reads run on a replica. */
  serve(createView: (replica: Replica, position: LogPosition) => ReplicaView): Replicas {
    return {
      tryRead: async (position, read) => {
        const replica = await this.choose(position);
        if (!replica) return undefined;
        const view = createView(replica, position);
        try {
          const value = await read(view.db);
          view.end();
          this.counts.served += 1;
          return { value };
        } catch (error) {
          const failure = view.end();
          // On the primary, the statement would exceed its time limit as well.
          if (!failure || failure.error instanceof StatementCancelled) throw error;
          this.countFailure();
          return undefined;
        }
      },
      states: () => this.replicas.map(({ state }) => state),
      outcomes: () => this.counts,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** Chooses in turn among the replicas that have replayed the position, else the first one to reach it. */
  private async choose(position: LogPosition): Promise<Replica | undefined> {
    this.turn += 1;
    const rotated = this.replicas.map(
      (_, index) => this.replicas[(index + this.turn) % this.replicas.length] as Replica,
    );
    const candidates = rotated.filter((replica) => replica.mayReach(position));
    const current = candidates.find((replica) => replica.has(position));
    if (current) return current;
    const first = await Promise.any(
      candidates.map(async (replica) => {
        if (!(await replica.reach(position))) throw new Error('late');
        return replica;
      }),
    ).catch(() => undefined);
    if (!first) this.counts[this.replicas.every(({ isAway }) => isAway) ? 'away' : 'late'] += 1;
    return first;
  }

  private readPositions(): void {
    // First the primary's, so that the lag does not include the time between two checks.
    void Promise.race([this.readPrimary(), new Promise((resolve) => setTimeout(resolve, checkInterval / 2))]).then(
      () => {
        for (const replica of this.replicas) void replica.readPosition();
      },
    );
  }

  private async readPrimary(): Promise<void> {
    if (this.isReadingPrimary) return;
    this.isReadingPrimary = true;
    try {
      const [row] = await this.options.pool.query<{ position: string | null }>(`select ${logPositionSql} as position`);
      if (!row?.position) return;
      const bytes = parseLsn(readLogPosition(row.position).lsn);
      for (const replica of this.replicas) replica.recordPrimary(bytes);
    } catch {
      // The primary is away: callers get the error from their own statements.
    } finally {
      this.isReadingPrimary = false;
    }
  }
}
