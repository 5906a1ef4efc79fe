import { useSearchParams } from 'react-router-dom';
import {
  addDays,
  defaultDays,
  groups,
  lastDays,
  maxPeriodDays,
  type Period,
  type PeriodGroup,
  presentDay,
} from '../../charts/period';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';

export interface ChosenPeriod extends Period {
  group: PeriodGroup;
  /** Set if the user chose "the last n days". */
  days: number | undefined;
}

/** The period and grouping in the URL, with setters. Days are local days of the machine's site. */
export function usePeriod({
  timeZone,
  days: defaultLength = defaultDays,
}: {
  timeZone: string | undefined;
  days?: number;
}) {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const period = readPeriod(search, presentDay(timeZone), defaultLength);

  const choose = ({ group, days, from, to }: Partial<ChosenPeriod>) =>
    updateSearch({
      ...(group && { group }),
      ...(days !== undefined && { days, from: undefined, to: undefined }),
      ...(days === undefined && from && to && { from, to, days: undefined }),
    });
  return { period, choose };
}

/** Parses the period in a URL. Invalid values get defaults. */
export function readPeriod(search: URLSearchParams, today: string, defaultLength: number): ChosenPeriod {
  const group = groups.find((candidate) => candidate === search.get('group')) ?? 'day';
  const from = search.get('from') ?? '';
  const to = search.get('to') ?? '';
  if (isDay(from) && isDay(to) && from <= to) return { group, from, to, days: undefined };
  const requestedDays = Number(search.get('days'));
  const days =
    Number.isInteger(requestedDays) && requestedDays >= 1 && requestedDays <= maxPeriodDays
      ? requestedDays
      : defaultLength;
  return { group, days, ...lastDays(days, today) };
}

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
