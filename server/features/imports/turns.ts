/** Whose import is worked on next: fair between people, however many one of them sends. */
import { sql } from 'drizzle-orm';
import type { ImportState } from '../../../schema/shared/imports';
import type { Database } from '../../db/core/database';

export interface Turn {
  id: number;
  userId: number;
}

interface TurnOptions {
  /** Names this process among those of the database. */
  worker: string;
  /** In these states an import waits to be worked on. */
  states: readonly ImportState[];
  /** Seconds after which a process that said nothing counts as gone. */
  patience: number;
}

/** As many people are remembered: who is forgotten comes first. */
const mostServed = 1000;

export class Turns {
  private readonly running = new Map<number, Turn>();
  /** People in the order in which an import of theirs was begun last, the latest at the end. */
  private readonly served: number[] = [];
  private claiming: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly options: TurnOptions,
  ) {}

  /**
   * Takes an import that nobody works on, as `claim` chooses; two never choose at once, as each must know whose import
   * the other took.
   */
  next(): Promise<Turn | undefined> {
    const claimed = this.claiming.then(() => this.claim());
    this.claiming = claimed.catch(() => undefined);
    return claimed;
  }

  /** The import need not be known any more. */
  end({ id }: Turn): void {
    this.running.delete(id);
  }

  /**
   * Nobody has two imports worked on at once in one process. Of the others come first those who have none worked on
   * elsewhere, among them who has waited longest for a turn, and of one person the oldest. An embedded database has one
   * process: whoever worked before is gone.
   */
  private async claim(): Promise<Turn | undefined> {
    const { worker, states, patience } = this.options;
    const [ids, users] = [[...this.running.keys()], [...this.running.values()].map(({ userId }) => userId)];
    const isBeating = sql`worked_at > now() - ${patience}::int * interval '1 second'`;
    const isFree = this.db.kind === 'pglite' ? sql`true` : sql`(j.worked_at is null or not j.${isBeating})`;
    const elsewhere = sql`(select count(*) from import_jobs oj join imports oi on oi.id = oj.import_id
      where oi.user_id = i.user_id and oj.${isBeating})`;
    const claimed = await this.db.one<Turn>(sql`
      update import_jobs set worker = ${worker}, worked_at = now(), attempts = attempts + 1 from imports own
      where own.id = import_jobs.import_id and import_jobs.import_id = (
        select j.import_id from import_jobs j join imports i on i.id = j.import_id
        where i.state = any(${sql.param([...states])}::text[]) and ${isFree}
          and not j.import_id = any(${sql.param(ids)}::int[]) and not i.user_id = any(${sql.param(users)}::int[])
        order by ${elsewhere}, array_position(${sql.param(this.served)}::int[], i.user_id) nulls first, j.import_id
        limit 1 for update of j skip locked)
      returning own.id as id, own.user_id as "userId"`);
    if (!claimed) return undefined;
    this.running.set(claimed.id, claimed);
    const before = this.served.indexOf(claimed.userId);
    if (before >= 0) this.served.splice(before, 1);
    this.served.push(claimed.userId);
    if (this.served.length > mostServed) this.served.shift();
    return claimed;
  }
}
