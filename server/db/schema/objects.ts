/** Contents of the object storage other than files. */
import { date, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instantColumn } from '../core/columns';

/** Raw messages in the object storage: packs of one UTC day, ordered by machine (`server/objects/moveMessages.ts`). */
export const rawMessageObjects = pgTable(
  'raw_message_objects',
  {
    object_key: text('object_key').primaryKey(),
    day: date('day').notNull(),
    /** First and last machine; null for messages without a machine. */
    machine_from: integer('machine_from'),
    machine_to: integer('machine_to'),
    received_from: instantColumn('received_from').notNull(),
    received_to: instantColumn('received_to').notNull(),
    messages: integer('messages').notNull(),
    /** Bytes of the object. */
    size: integer('size').notNull(),
  },
  (table) => [
    index('raw_message_objects_machine').on(table.machine_to, table.machine_from),
    index('raw_message_objects_received_to').on(table.received_to),
  ],
);
