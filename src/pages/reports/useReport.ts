/** The chosen report with its parameters in the URL, and its response. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { isDay } from '../../../schema/dsl/isDay';
import {
  daysAhead,
  type ReportFilter,
  type ReportLevel,
  reportFilters,
  reports,
} from '../../../schema/features/reports';
import { type ReportName, reportNames } from '../../../schema/shared/reportNames';
import { addDays, presentDay } from '../../charts/period';
import { isPermitted } from '../../crud/shared/entities';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { call } from '../../providers/call';

export const reportPath = (report: ReportName) => `/reports/${report}`;

/**
 * Query string for another report, with the client, fleet, location, period and level of the current one. A saved view
 * is kept only if it filters the same rows. `undefined` stands for the list of schedules.
 */
export function searchFor(
  report: ReportName | undefined,
  current: ReportName | undefined,
  search: URLSearchParams,
): string {
  const nextSearch = new URLSearchParams(search);
  nextSearch.delete('page');
  if (rowsOf(report) !== rowsOf(current)) nextSearch.delete('view_id');
  return String(nextSearch) && `?${nextSearch}`;
}

const rowsOf = (report: ReportName | undefined) => report && reports[report].rows;

/** The reports that the user may read. */
export const permittedReports = (): ReportName[] =>
  reportNames.filter((report) => reports[report].permissions.every(isPermitted));

/** The chosen parameters; all except the report itself are in the query string. */
export interface Choice {
  report: ReportName;
  filter: Partial<Record<ReportFilter, number>>;
  /** `YYYY-MM`; absent if the URL gives days. */
  month?: string;
  from?: string;
  to?: string;
  date: string;
  by: ReportLevel;
}

/** The parameters of a report in the URL, a function that changes them, and the page of the report that they select. */
export function useReport(report: ReportName) {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const choice = choiceOf(report, search);
  const apiQuery = reportSearch(choice);
  const page = Number(search.get('page')) || 1;
  const query = useQuery({
    queryKey: ['reports', report, String(apiQuery), page],
    queryFn: ({ signal }) =>
      call(`GET /reports/${report}`, { query: Object.fromEntries(apiQuery), search: `page=${page}`, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  /** Changes parameters. Returns to the first page unless `page` is among them. */
  const choose = (values: Partial<Record<keyof Choice | ReportFilter | 'page', string | number | undefined>>) =>
    updateSearch({ page: undefined, ...values });
  // Never shows the response for another report, whose columns would not fit.
  const result = query.data?.data.report === report ? query.data.data : undefined;
  const pages = { page, pages: query.data?.last_page ?? 1, total: query.data?.total ?? 0 };
  return { ...query, result, pages, choice, apiQuery, choose };
}

function choiceOf(report: ReportName, search: URLSearchParams): Choice {
  const today = presentDay();
  const filter = Object.fromEntries(
    reportFilters.flatMap((name) =>
      /^[1-9]\d*$/.test(search.get(name) ?? '') ? [[name, Number(search.get(name))]] : [],
    ),
  );
  const [from, to, date, month] = [
    parseDayParam(search.get('from')),
    parseDayParam(search.get('to')),
    parseDayParam(search.get('date')),
    search.get('month') ?? '',
  ];
  const levels: readonly ReportLevel[] = reports[report].levels;
  // The finest level has too many lines for the whole fleet, so it is the default only with a client, fleet or location
  // chosen.
  const defaultLevel = levels[
    levels.length - (levels.length > 2 && Object.keys(filter).length === 0 ? 2 : 1)
  ] as ReportLevel;
  return {
    report,
    filter,
    ...(from && to ? { from, to } : { month: isDay(`${month}-01`) ? month : monthBefore(today) }),
    date: date ?? addDays(today, daysAhead),
    by: levels.find((level) => level === search.get('by')) ?? defaultLevel,
  };
}

const parseDayParam = (text: string | null): string | undefined => (text && isDay(text) ? text : undefined);
/** The month before that of a day, as `YYYY-MM`. */
export const monthBefore = (today: string): string => addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);

/** Query string of the API call for a choice. */
export function reportSearch({ report, filter, month, from, to, date, by }: Choice): URLSearchParams {
  const period: Record<string, string> =
    reports[report].timeframe === 'date' ? { date } : month ? { month } : { from: from as string, to: to as string };
  return new URLSearchParams({
    ...Object.fromEntries(Object.entries(filter).map(([name, id]) => [name, String(id)])),
    ...period,
    by,
  });
}
