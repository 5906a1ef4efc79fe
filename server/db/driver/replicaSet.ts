/** The replicas of `DATABASE_READ_URL`: which one serves a read, and what becomes of it when that fails. */
import type { FastifyBaseLogger } from 'fastify';
import { type Database, type ReplicaOutcome, type Replicas, StatementCancelled } from '../core/database';
import { bytesOf, type LogPosition, logPositionSql, readLogPosition } from '../core/logPosition';
import type { ConnectionPool } from './connectionPool';
import type { Host } from './hostsOf';
import { Replica, type ReplicaOptions } from './replica';

export interface ReplicaSetOptions {
  hosts: readonly Host[];
  /** Opens connections to one host. */
  connectorTo(host: Host): ReplicaOptions['open'];
  /** Of the primary. */
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

/** Milliseconds between questions to each server while no read waits. */
const askEvery = 250;

export class ReplicaSet {
  private readonly replicas: Replica[];
  private readonly timer: NodeJS.Timeout;
  private readonly counts: Record<ReplicaOutcome, number> = { served: 0, late: 0, away: 0, failed: 0 };
  private turn = 0;
  private isAskingPrimary = false;

  constructor(private readonly options: ReplicaSetOptions) {
    const { hosts, connectorTo, connections, log } = options;
    this.replicas = hosts.map(
      (host) =>
        new Replica({
          name: host.path ?? `${host.host}:${host.port}`,
          open: connectorTo(host),
          connections,
          log,
        }),
    );
    this.timer = setInterval(() => this.askAll(), askEvery).unref();
    this.askAll();
  }

  /** Counts a stream that the replica did not begin, after its read had ended. */
  countFailure(): void {
    this.counts.failed += 1;
  }

  /** The interface for callers; `viewOf` gives them a database whose reads run on a replica. */
  serve(viewOf: (replica: Replica, position: LogPosition) => ReplicaView): Replicas {
    return {
      tryRead: async (position, read) => {
        const replica = await this.choose(position);
        if (!replica) return undefined;
        const view = viewOf(replica, position);
        try {
          const value = await read(view.db);
          view.end();
          this.counts.served += 1;
          return { value };
        } catch (error) {
          const failure = view.end();
          // The time limit of a statement holds on the primary, too.
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

  /** In turns, one that is there already; else the first that gets there. */
  private async choose(position: LogPosition): Promise<Replica | undefined> {
    this.turn += 1;
    const inTurn = this.replicas.map(
      (_, index) => this.replicas[(index + this.turn) % this.replicas.length] as Replica,
    );
    const candidates = inTurn.filter((replica) => replica.mayReach(position));
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

  private askAll(): void {
    // First the primary, so that lag is what a replica has not replayed and not the time between two questions.
    void Promise.race([this.askPrimary(), new Promise((resolve) => setTimeout(resolve, askEvery / 2))]).then(() => {
      for (const replica of this.replicas) void replica.ask();
    });
  }

  private async askPrimary(): Promise<void> {
    if (this.isAskingPrimary) return;
    this.isAskingPrimary = true;
    try {
      const [row] = await this.options.pool.query<{ position: string | null }>(`select ${logPositionSql} as position`);
      if (!row?.position) return;
      const bytes = bytesOf(readLogPosition(row.position).lsn);
      for (const replica of this.replicas) replica.noteAhead(bytes);
    } catch {
      // Whoever asks the primary for something hears that it is away.
    } finally {
      this.isAskingPrimary = false;
    }
  }
}
