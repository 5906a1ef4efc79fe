/** What users have chosen or made for their own account, beside their row. */
import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { rowId } from './entities';

const ofUser = () => integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' });

/** What a user wants to be told of and how; where there is no row, `wantedAtFirst` holds. */
export const notificationChoices = pgTable(
  'notification_choices',
  {
    user_id: ofUser().notNull(),
    event: text('event').notNull(),
    channel: text('channel').notNull(),
    wanted: boolean('wanted').notNull(),
  },
  (at) => [primaryKey({ name: 'notification_choices_pkey', columns: [at.user_id, at.event, at.channel] })],
);
