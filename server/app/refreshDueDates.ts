/**
 * Keeps service due dates current. Plans by operating hours fall due earlier or later with every day's work, and new
 * machines follow the plan of their type.
 */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../context/eventBus';
import type { Services } from '../context/services';
import { pg } from '../db/core/rowShape';
import { refreshDue } from '../features/service/refreshDue';

/** Machines per statement. Small, so that requests are served in between. */
const batchSize = 500;

/** Updates the due dates. Every process may run it: it writes and publishes only what differs. */
export async function refreshDueDates({ db, live, now }: Pick<Services, 'db' | 'live' | 'now'>): Promise<void> {
  for (let lastId = 0; ; ) {
    const machines = await db.select(
      { id: pg.integer },
      sql`select id from machines where id > ${lastId}::int and deleted_at is null order by id limit ${batchSize}::int`,
    );
    const ids = machines.map(({ id }) => id);
    if (ids.length === 0) return;
    const changes = await db.transaction((tx) => refreshDue(tx, ids, now()));
    await live.publish(
      changes.map(
        ({ id, next_service_due }): LiveEvent => ({
          entity: 'machines',
          id,
          type: 'updated',
          payload: { next_service_due },
        }),
      ),
    );
    lastId = ids.at(-1) as number;
  }
}
