import { useSearchParams } from 'react-router-dom';
import { isDay } from '../../../schema/dsl/isDay';
import {
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

/** The period and grouping in the URL, and a setter. Days are those of `timeZone`, by default of the browser's. */
export function usePeriod({
  timeZone,
  days: defaultLength = defaultDays,
}: {
  timeZone: string | undefined;
  days?: number;
}) {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const period = parsePeriod(search, presentDay(timeZone), defaultLength);

  const choose = ({ group, days, from, to }: Partial<ChosenPeriod>) =>
    updateSearch({
      ...(group && { group }),
      ...(days !== undefined && { days, from: undefined, to: undefined }),
      ...(days === undefined && from && to && { from, to, days: undefined }),
    });
  return { period, choose };
}

/** Parses the period and grouping in a URL. Invalid values get defaults: `defaultLength` days up to `today`. */
export function parsePeriod(search: URLSearchParams, today: string, defaultLength: number): ChosenPeriod {
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
