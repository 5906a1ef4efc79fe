/** Notification events and channels. Only the user can switch them off. */

export const notificationEvents = ['alert_fired', 'alert_closed', 'problem_reported', 'service_due'] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

export const notificationChannels = ['email', 'sms'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/**
 * Preferences of users without stored ones, if they allow the channel at all (`users.allow_email`,
 * `users.allow_sms`).
 */
export const defaultNotifications: Readonly<Record<NotificationEvent, Readonly<Record<NotificationChannel, boolean>>>> =
  {
    alert_fired: { email: true, sms: true },
    alert_closed: { email: true, sms: false },
    problem_reported: { email: true, sms: false },
    service_due: { email: true, sms: false },
  };

/** One cell of the matrix, as the API carries it. */
export interface NotificationChoice {
  event: NotificationEvent;
  channel: NotificationChannel;
  wanted: boolean;
}
