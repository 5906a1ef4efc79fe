/** Report requests: filters, period, level. */
import { isDay } from '../../../schema/dsl/isDay';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import {
  daysAhead,
  type ReportFilter,
  type ReportLevel,
  type ReportLine,
  reportFilters,
  reports,
} from '../../../schema/features/reports';
import type { Language } from '../../../schema/shared/languages';
import type { ReportName } from '../../../schema/shared/reportNames';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityModel } from '../../context/services';
import type { Queries } from '../../db/core/database';
import type { LineRange } from './levelSumsSql';

export interface ReportRequest {
  report: ReportName;
  by: ReportLevel;
  filter: Partial<Record<ReportFilter, number>>;
  /** Filters of the saved view. */
  viewFilter?: ListQuery['filter'];
  /** `YYYY-MM-DD`, inclusive. */
  from: string;
  to: string;
  /** Limits the lines to a range; the total is always included. */
  range?: LineRange;
}

/** What a report is read with: the reader, and the time of reading. */
export interface ReportContext {
  db: Queries;
  model: EntityModel;
  caller: Caller;
  now: Date;
}

/** Reader of a report as a file, whose links begin with the public URL of the installation. */
export interface ReportReader {
  language: Language;
  publicUrl: string;
}

/** Adds data to the lines of a report, or of a batch of them. */
export type FinishLines = (lines: ReportLine[]) => Promise<void>;

const dayLength = 86_400_000;

/** The day `YYYY-MM-DD` a number of days later. */
export const addCalendarDays = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * dayLength).toISOString().slice(0, 10);

/** First and last day of a month `YYYY-MM`. */
function daysOfMonth(month: string): { from: string; to: string } {
  const lastDay = new Date(`${month}-01`);
  // `Date.UTC` would take the years before 100 for those of the 20th century.
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  return { from: `${month}-01`, to: lastDay.toISOString().slice(0, 10) };
}

/**
 * Parses the query string of a report. The period defaults to the previous month, the end of a forecast to `daysAhead`
 * days from today. Throws 422 for an invalid level, filter or period.
 */
export function parseReportRequest(report: ReportName, search: URLSearchParams, today: string): ReportRequest {
  const { timeframe, levels } = reports[report];
  const by = search.get('by') || levels[levels.length - 1];
  const level = levels.find((level) => level === by);
  if (!level) throw ApiError.invalidAt('by', { key: 'one_of', values: { values: levels.join(', ') } });
  const filter: ReportRequest['filter'] = {};
  for (const name of reportFilters) {
    const text = search.get(name);
    if (!text) continue;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw ApiError.invalidAt(name, { key: 'exists' });
    filter[name] = Number(text);
  }
  return {
    report,
    by: level,
    filter,
    ...(timeframe === 'period' ? periodOf(report, search, today) : lookAheadOf(report, search, today)),
  };
}

function periodOf(report: ReportName, search: URLSearchParams, today: string): Pick<ReportRequest, 'from' | 'to'> {
  const month = search.get('month');
  if (month && !isDay(`${month}-01`)) throw ApiError.invalidAt('month', { key: 'date' });
  const previousMonth = addCalendarDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
  const monthDays = daysOfMonth(month || previousMonth);
  if (month) return monthDays;
  const to = dayOf(search, 'to');
  const from = dayOf(search, 'from') ?? (to ? `${to.slice(0, 7)}-01` : monthDays.from);
  return requirePeriod(report, { from, to: to ?? daysOfMonth(from.slice(0, 7)).to });
}

const lookAheadOf = (report: ReportName, search: URLSearchParams, today: string): Pick<ReportRequest, 'from' | 'to'> =>
  requirePeriod(report, { from: today, to: dayOf(search, 'date') ?? addCalendarDays(today, daysAhead) }, 'date');

/** Returns the period. Throws 422 at `field` if it ends before it begins, or is too long for the report. */
function requirePeriod(
  report: ReportName,
  { from, to }: Pick<ReportRequest, 'from' | 'to'>,
  field = 'to',
): Pick<ReportRequest, 'from' | 'to'> {
  const days = (Date.parse(to) - Date.parse(from)) / dayLength + 1;
  if (days < 1) throw ApiError.invalidAt(field, { text: 'period_backwards' });
  if (days > reports[report].maxDays)
    throw ApiError.invalidAt(field === 'to' ? 'from' : field, {
      text: 'period_too_long',
      values: { days: reports[report].maxDays },
    });
  return { from, to };
}

function dayOf(search: URLSearchParams, name: string): string | undefined {
  const text = search.get(name);
  if (!text) return undefined;
  if (!isDay(text)) throw ApiError.invalidAt(name, { key: 'date' });
  return text;
}
