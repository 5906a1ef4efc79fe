/** Notification preferences: whether a user wants an event on a channel. Every sender of messages must check them. */
import { type SQL, sql } from 'drizzle-orm';
import {
  defaultNotifications,
  type NotificationChannel,
  type NotificationChoice,
  type NotificationEvent,
  notificationChannels,
  notificationEvents,
} from '../../schema/shared/notifications';
import type { Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';

export interface Notification {
  event: NotificationEvent;
  channel: NotificationChannel;
}

/** SQL condition: the user allows the channel and wants the event on it. `user` is the alias of `users`. */
export function notificationWantedWhere(user: string, { event, channel }: Notification): SQL {
  const row = sql.identifier(user);
  return sql`(${row}.${sql.identifier(`allow_${channel}`)} and ${wantedWhere(row, { event, channel })})`;
}

/** Whether the user exists, allows the channel and wants the event on it. */
export async function isNotificationWanted(
  db: Queries,
  userId: number,
  event: NotificationEvent,
  channel: NotificationChannel,
): Promise<boolean> {
  return (
    (await db.one(
      sql`select 1 from users u where u.id = ${userId} and u.deleted_at is null
        and ${notificationWantedWhere('u', { event, channel })}`,
    )) !== undefined
  );
}

/** The user's choice for every event on every channel, whether or not the channel is allowed. */
export async function readNotificationChoices(db: Queries, userId: number): Promise<NotificationChoice[]> {
  const rows = await db.select(
    { event: pg.text.as<NotificationEvent>(), channel: pg.text.as<NotificationChannel>(), wanted: pg.boolean },
    sql`select event, channel, wanted from notification_choices where user_id = ${userId}`,
  );
  return notificationEvents.flatMap((event) =>
    notificationChannels.map((channel) => ({
      event,
      channel,
      wanted:
        rows.find((row) => row.event === event && row.channel === channel)?.wanted ??
        defaultNotifications[event][channel],
    })),
  );
}

/** Stores the given choices; all others stay unchanged. */
export async function storeChoices(db: Queries, userId: number, choices: readonly NotificationChoice[]): Promise<void> {
  for (const { event, channel, wanted } of choices)
    await db.rows(sql`
      insert into notification_choices (user_id, event, channel, wanted)
      values (${userId}, ${event}, ${channel}, ${wanted})
      on conflict (user_id, event, channel) do update set wanted = excluded.wanted`);
}

const wantedWhere = (row: SQL | ReturnType<typeof sql.identifier>, { event, channel }: Notification) => sql`coalesce(
  (select n.wanted from notification_choices n where n.user_id = ${row}.id and n.event = ${event}
  and n.channel = ${channel}), ${defaultNotifications[event][channel]}::boolean)`;
