/** Reason of a state in the reader's language and time zone: as SQL for lists and rows, as text for events. */
import { type SQL, sql } from 'drizzle-orm';
import type { Language } from '../../../schema/shared/languages';
import type { Caller } from '../../context/caller';
import { sqlLiteral } from '../../db/core/columns';
import { formatMessage, texts } from '../../i18n/messages';
import { createBuildCache } from '../../shared/createBuildCache';
import { timeZoneSql } from './days';
import type { Reason } from './observation';
import { toEpochSeconds } from './timeline';

interface ReasonSql {
  reason: SQL;
  /** Time that the reason refers to. */
  at: SQL;
  /** Start of the state. */
  from: SQL;
  zone: SQL;
  /** Whether `at` is on the reader's current day; computed per row by default. */
  isToday?: SQL;
}

/**
 * SQL: time zone for times about a machine at `location`: the reader's, or the location's if the request names none.
 */
export const readerZoneSql = ({ timeZone }: Pick<Caller, 'timeZone'>, location: SQL): SQL =>
  timeZone ? sql`${timeZone}::text` : timeZoneSql(location);

/** SQL: sentence for a stored reason; "never reported" without one. */
export function reasonSql(language: Language, { reason, at, from, zone, isToday }: ReasonSql): SQL {
  const localTime = sql`${at} at time zone ${zone}`;
  const today = sql`(now() at time zone ${zone})::date`;
  const timeText = sql`to_char(${localTime}, case when ${isToday ?? sql`(${localTime})::date = ${today}`}
    then 'HH24:MI' else 'DD.MM.YYYY HH24:MI' end)`;
  const seconds = sql`extract(epoch from ${from} - date_trunc('second', ${at}))::int`;
  const span = sql`case when ${seconds} < 120 then ${seconds} || ' s'
    when ${seconds} < 7200 then round(${seconds} / 60.0) || ' min' else round(${seconds} / 3600.0) || ' h' end`;
  // Inlined as literals: parameters would be sent and parsed with every call.
  const cases = Object.entries(texts[language].reasons).map(([key, text]) => {
    const textLiteral = sql.raw(sqlLiteral(text));
    return sql`when ${sql.raw(sqlLiteral(key))} then
      ${text.includes('%{span}') ? sql`replace(${textLiteral}, '%{span}', coalesce(${span}, ''))` : textLiteral}`;
  });
  return sql`replace(coalesce(case ${reason} ${sql.join(cases, sql` `)}
    end, ${sql.raw(sqlLiteral(texts[language].reasons.never))}), '%{time}', coalesce(${timeText}, ''))`;
}

/** A duration in a suitable unit; the symbols are the same in all languages. */
function formatDuration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** A reason as sent between processes in events. */
export interface TransmittedReason {
  reason: Reason;
  at: string;
  from: string;
  zone: string;
}

export const isTransmittedReason = (value: unknown): value is TransmittedReason =>
  typeof value === 'object' && value !== null && 'reason' in value && 'zone' in value;

const cachedBuild = createBuildCache();

/** Cached: constructing formatters costs more than a hundred uses. */
const formatsOf = (zone: string) =>
  cachedBuild(`formats of reasons in ${zone}`, () => ({
    date: new Intl.DateTimeFormat('de-DE', { timeZone: zone, day: '2-digit', month: '2-digit', year: 'numeric' }),
    clock: new Intl.DateTimeFormat('de-DE', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  }));

/** The same sentence as `reasonSql`, for one listener. */
export function reasonText(language: Language, { reason, at, from, zone }: TransmittedReason, now: Date): string {
  const instant = new Date(at);
  const { date, clock } = formatsOf(zone);
  const [day, time] = [date.format(instant), clock.format(instant)];
  const timeText = day === date.format(now) ? time : `${day} ${time}`;
  return formatMessage(language, `reasons.${reason}`, {
    time: timeText,
    span: formatDuration(toEpochSeconds(new Date(from)) - toEpochSeconds(instant)),
  });
}
