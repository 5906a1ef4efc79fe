/**
 * Chooses the next import so that users take turns, however many imports each of them has. One instance per process.
 */
import { sql } from 'drizzle-orm';
import type { ClaimOrder } from '../../jobs/jobQueue';

/** Maximum users remembered; a user who was forgotten takes the next turn. */
const maxUsers = 1000;
const userSql = sql`(j.payload->>'user_id')::int`;
const runningElsewhereSql = sql`(select count(*) from jobs o where o.kind = j.kind and o.state = 'running'
  and o.lease_until > now() and o.payload->'user_id' = j.payload->'user_id')`;

export class ImportTurns {
  private readonly runningUserIds = new Set<number>();
  /** Users by the start of their latest import, the most recent last. */
  private readonly recentUserIds = new Set<number>();

  /**
   * Allows at most one import per user and process. Users without an import running elsewhere come first, then those
   * who have waited longest; of one user, the oldest import.
   */
  order(): ClaimOrder {
    return {
      where: sql`not ${userSql} = any(${sql.param([...this.runningUserIds])}::int[])`,
      order: sql`${runningElsewhereSql},
        array_position(${sql.param([...this.recentUserIds])}::int[], ${userSql}) nulls first,
        (j.payload->>'import_id')::int`,
    };
  }

  begin(userId: number): void {
    this.runningUserIds.add(userId);
    this.recentUserIds.delete(userId);
    this.recentUserIds.add(userId);
    const [oldestUserId] = this.recentUserIds;
    if (oldestUserId !== undefined && this.recentUserIds.size > maxUsers) this.recentUserIds.delete(oldestUserId);
  }

  end(userId: number): void {
    this.runningUserIds.delete(userId);
  }
}
