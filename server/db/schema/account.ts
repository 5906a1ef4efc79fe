/** Tables of account settings that are not in the row of a user. */
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { rowId } from './entities';

const userReference = () => integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' });

/** Notification preferences of a user; without a row `defaultNotifications` applies. */
export const notificationChoices = pgTable(
  'notification_choices',
  {
    user_id: userReference().notNull(),
    event: text('event').notNull(),
    channel: text('channel').notNull(),
    wanted: boolean('wanted').notNull(),
  },
  (table) => [primaryKey({ name: 'notification_choices_pkey', columns: [table.user_id, table.event, table.channel] })],
);
