import { serverNow } from '../../i18n/serverClock';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** "in 3 days", "due today", "4 days over", in the user's language. */
export function dueText(daysLeft: number, translate: Translate): string {
  if (daysLeft === 0) return translate('reporting.due_today');
  return daysLeft > 0
    ? translate('reporting.days_left', { smart_count: daysLeft })
    : translate('reporting.days_over', { smart_count: -daysLeft });
}

/** Days from the present day in the user's time zone to the day `YYYY-MM-DD`; negative if that is over. */
export function daysUntil(day: string, now = new Date(serverNow())): number {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return (Date.parse(day) - today) / 86_400_000;
}
