/** Chooses the next import: fair between users, however many one of them uploads. */
import { sql } from 'drizzle-orm';
import type { ImportState } from '../../../schema/shared/imports';
import type { Database } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';

export const turnShape = {
  id: pg.integer,
  userId: pg.integer,
};
export type Turn = RowOf<typeof turnShape>;

interface TurnOptions {
  /** Identifies this process among those of the database. */
  worker: string;
  /** States in which an import waits for work. */
  states: readonly ImportState[];
  /** Seconds without a heartbeat after which a process counts as gone. */
  patience: number;
}

/** Users remembered; those forgotten come first. */
const mostServed = 1000;

export class Turns {
  private readonly running = new Map<number, Turn>();
  /** Users by the start of their latest import, the most recent last. */
  private readonly served: number[] = [];
  private claiming: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly options: TurnOptions,
  ) {}

  /** Claims the next import; serialised, because each choice must know the previous one. */
  next(): Promise<Turn | undefined> {
    const claimed = this.claiming.then(() => this.claim());
    this.claiming = claimed.catch(() => undefined);
    return claimed;
  }

  /** Forgets an import. */
  end({ id }: Turn): void {
    this.running.delete(id);
  }

  /**
   * At most one import per user and process. Users without a running import elsewhere come first, among them the one
   * waiting longest, and of a user the oldest import. An embedded database has one process: earlier workers are gone.
   */
  private async claim(): Promise<Turn | undefined> {
    const { worker, states, patience } = this.options;
    const [ids, users] = [[...this.running.keys()], [...this.running.values()].map(({ userId }) => userId)];
    const isBeating = sql`worked_at > now() - ${patience}::int * interval '1 second'`;
    const isFree = this.db.kind === 'pglite' ? sql`true` : sql`(j.worked_at is null or not j.${isBeating})`;
    const elsewhere = sql`(select count(*) from import_jobs oj join imports oi on oi.id = oj.import_id
      where oi.user_id = i.user_id and oj.${isBeating})`;
    const claimed = await this.db.selectOne(
      turnShape,
      sql`
      update import_jobs set worker = ${worker}, worked_at = now(), attempts = attempts + 1 from imports own
      where own.id = import_jobs.import_id and import_jobs.import_id = (
        select j.import_id from import_jobs j join imports i on i.id = j.import_id
        where i.state = any(${sql.param([...states])}::text[]) and ${isFree}
          and not j.import_id = any(${sql.param(ids)}::int[]) and not i.user_id = any(${sql.param(users)}::int[])
        order by ${elsewhere}, array_position(${sql.param(this.served)}::int[], i.user_id) nulls first, j.import_id
        limit 1 for update of j skip locked)
      returning own.id as id, own.user_id as "userId"`,
    );
    if (!claimed) return undefined;
    this.running.set(claimed.id, claimed);
    const before = this.served.indexOf(claimed.userId);
    if (before >= 0) this.served.splice(before, 1);
    this.served.push(claimed.userId);
    if (this.served.length > mostServed) this.served.shift();
    return claimed;
  }
}
