/** Explains why a service is due, in the reader's language. */
import type { Language } from '../../../schema/shared/languages';
import { formatMessage } from '../../i18n/messages';
import type { PlanForecast } from './refreshDue';

const printDay = (day: string) => day.split('-').reverse().join('.');
const hoursOf = (seconds: number) => Math.floor(seconds / 3600);

/** Explains a forecast, such as "about 14.02.2027: 312 of 500 h used, 6.1 h a day". */
export function planSentence(
  language: Language,
  { by, due, months, hours, since, used, perDay, today }: PlanForecast,
): string {
  if (by === 'hours' && hours !== null) {
    const values = {
      used: hoursOf(used),
      limit: hours,
      per_day: Math.round(perDay / 360) / 10,
      date: due === null ? '' : printDay(due),
    };
    return formatMessage(
      language,
      due === null ? 'service.hours_idle' : used >= hours * 3600 ? 'service.hours_over' : 'service.hours',
      values,
    );
  }
  const day = due ?? today;
  return formatMessage(language, day < today ? 'service.months_over' : 'service.months', {
    smart_count: months ?? 0,
    date: printDay(day),
    since: printDay(since),
  });
}

/** Explains a due date that was entered by hand. */
export const manualDueSentence = (language: Language, dueDate: string, today: string): string =>
  formatMessage(language, dueDate < today ? 'service.by_hand_over' : 'service.by_hand', { date: printDay(dueDate) });
