/** What users are told of, and by which way. Each may be switched off by the user alone. */

export const notificationEvents = ['alert_fired', 'alert_closed', 'problem_reported', 'service_due'] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

export const notificationChannels = ['email', 'sms'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/**
 * What somebody who never chose is told of, so far as they allow the way at all (`users.allow_email`,
 * `users.allow_sms`).
 */
export const wantedAtFirst: Readonly<Record<NotificationEvent, Readonly<Record<NotificationChannel, boolean>>>> = {
  alert_fired: { email: true, sms: true },
  alert_closed: { email: true, sms: false },
  problem_reported: { email: true, sms: false },
  service_due: { email: true, sms: false },
};

/** One cell of the matrix, as calls carry it. */
export interface NotificationChoice {
  event: NotificationEvent;
  channel: NotificationChannel;
  wanted: boolean;
}
