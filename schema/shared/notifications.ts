/** Notification events and channels. Only users themselves can switch them off. */

export const notificationEvents = ['alert_fired', 'alert_closed', 'problem_reported', 'service_due'] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

export const notificationChannels = ['email', 'sms'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/**
 * Preferences of users who have not stored any; they apply only to channels that the user allows (`users.allow_email`,
 * `users.allow_sms`).
 */
export const defaultNotifications: Readonly<Record<NotificationEvent, Readonly<Record<NotificationChannel, boolean>>>> =
  {
    alert_fired: { email: true, sms: true },
    alert_closed: { email: true, sms: false },
    problem_reported: { email: true, sms: false },
    service_due: { email: true, sms: false },
  };

/** The choice for one event and channel, as in the API. */
export interface NotificationChoice {
  event: NotificationEvent;
  channel: NotificationChannel;
  wanted: boolean;
}
