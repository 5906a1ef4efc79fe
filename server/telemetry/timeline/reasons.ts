/**
 * Why a machine is in its state, in the reader's language and zone: as SQL for lists and rows, as text for live events.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Language } from '../../../schema/shared/languages';
import type { Caller } from '../../context/caller';
import { literal } from '../../db/core/columns';
import { formatMessage, texts } from '../../i18n/messages';
import { cachedBuild } from '../../shared/buildCache';
import { zoneOf } from './days';
import type { Reason } from './observation';
import { second } from './timeline';

interface ReasonSql {
  reason: SQL;
  /** The moment that the reason speaks of. */
  at: SQL;
  /** When the state began. */
  from: SQL;
  zone: SQL;
  /** Whether that moment is of the reader's day; without it that is found out for each row. */
  isToday?: SQL;
}

/**
 * The zone in which a reader reads times about a machine at `location`: their own, or the place's when the request
 * names none.
 */
export const readerZone = ({ timeZone }: Pick<Caller, 'timeZone'>, location: SQL): SQL =>
  timeZone ? sql`${timeZone}::text` : zoneOf(location);

/** The sentence for a stored reason; without one the machine has never reported. */
export function reasonSql(language: Language, { reason, at, from, zone, isToday }: ReasonSql): SQL {
  const local = sql`${at} at time zone ${zone}`;
  const when = sql`to_char(${local}, case when ${isToday ?? sql`(${local})::date = (now() at time zone ${zone})::date`}
    then 'HH24:MI' else 'DD.MM.YYYY HH24:MI' end)`;
  const seconds = sql`extract(epoch from ${from} - date_trunc('second', ${at}))::int`;
  const span = sql`case when ${seconds} < 120 then ${seconds} || ' s'
    when ${seconds} < 7200 then round(${seconds} / 60.0) || ' min' else round(${seconds} / 3600.0) || ' h' end`;
  // Our own words, and part of the statement: as parameters they would be sent and read again with every call.
  const cases = Object.entries(texts[language].reasons).map(([key, text]) => {
    const words = sql.raw(literal(text));
    return sql`when ${sql.raw(literal(key))} then
      ${text.includes('%{span}') ? sql`replace(${words}, '%{span}', coalesce(${span}, ''))` : words}`;
  });
  return sql`replace(coalesce(case ${reason} ${sql.join(cases, sql` `)}
    end, ${sql.raw(literal(texts[language].reasons.never))}), '%{time}', coalesce(${when}, ''))`;
}

/** A length of time in the unit that suits it; its letters are the same in all languages. */
function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** A reason as live events carry it between processes. */
export interface TransmittedReason {
  reason: Reason;
  at: string;
  from: string;
  zone: string;
}

export const isTransmittedReason = (value: unknown): value is TransmittedReason =>
  typeof value === 'object' && value !== null && 'reason' in value && 'zone' in value;

/** Making formats costs more than a hundred uses of them. */
const formatsOf = (zone: string) =>
  cachedBuild(`formats of reasons in ${zone}`, () => ({
    date: new Intl.DateTimeFormat('de-DE', { timeZone: zone, day: '2-digit', month: '2-digit', year: 'numeric' }),
    clock: new Intl.DateTimeFormat('de-DE', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  }));

/** The same sentence, for one listener. */
export function reasonText(language: Language, { reason, at, from, zone }: TransmittedReason, now: Date): string {
  const moment = new Date(at);
  const { date, clock } = formatsOf(zone);
  const [day, time] = [date.format(moment), clock.format(moment)];
  const when = day === date.format(now) ? time : `${day} ${time}`;
  return formatMessage(language, `reasons.${reason}`, {
    time: when,
    span: spanOf(second(new Date(from)) - second(moment)),
  });
}
