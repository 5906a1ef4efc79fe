/** Reads the raw messages of a machine in the order of their ids, optionally with those moved to the object storage. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import type { Protocol } from '../timeline/observation';

/** Raw messages per batch. */
const batchSize = 2000;

const rawMessageShape = {
  id: pg.integer,
  received_at: pg.timestamptz,
  protocol: pg.text.as<Protocol>(),
  device: pg.text,
  tracker_id: pg.integer,
  media_type: pg.text,
  body: pg.bytea,
};

export interface RawMessageRange {
  machineId: number;
  /** Time of receipt. */
  from: Date;
  to: Date;
  /** Reads the temporary table `moved_messages` as well (`server/objects/openMovedMessages.ts`). */
  readsMoved: boolean;
}

/** Yields batches that are never empty. */
export async function* readRawMessages(
  tx: Queries,
  { machineId, from, to, readsMoved }: RawMessageRange,
): AsyncGenerator<RowOf<typeof rawMessageShape>[]> {
  for (let lastId = 0; ; ) {
    const nextRowsSql = (table: string) => sql`(
      select id, received_at, protocol, device, tracker_id, media_type, body from ${sql.identifier(table)}
      where machine_id = ${machineId}::int and received_at >= ${from.toISOString()}::timestamptz
      and received_at <= ${to.toISOString()}::timestamptz and id > ${lastId}::bigint
      order by id limit ${batchSize}::int)`;
    const rows = await tx.select(
      rawMessageShape,
      readsMoved
        ? sql`${nextRowsSql('raw_messages')} union all ${nextRowsSql('moved_messages')}
          order by id limit ${batchSize}::int`
        : nextRowsSql('raw_messages'),
    );
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    lastId = rows.at(-1)?.id ?? lastId;
  }
}
