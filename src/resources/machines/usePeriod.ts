import { useSearchParams } from 'react-router-dom';
import {
  addDays,
  dayOf,
  defaultDays,
  groups,
  lastDays,
  maxPeriodDays,
  type Period,
  type PeriodGroup,
} from '../../charts/period';

export interface ChosenPeriod extends Period {
  group: PeriodGroup;
  /** Set if the period was chosen as "the last n days". */
  days: number | undefined;
}

/** The period and grouping in the address, with setters. Days are local days of the machine's site. */
export function usePeriod({
  timeZone,
  days: byDefault = defaultDays,
}: {
  timeZone: string | undefined;
  days?: number;
}) {
  const [search, setSearch] = useSearchParams();
  const period = readPeriod(search, dayOf(new Date(), timeZone), byDefault);

  const choose = (next: Partial<ChosenPeriod>) =>
    setSearch(
      (current) => {
        const params = new URLSearchParams(current);
        if (next.group) params.set('group', next.group);
        if (next.days !== undefined) {
          params.set('days', String(next.days));
          params.delete('from');
          params.delete('to');
        } else if (next.from && next.to) {
          params.set('from', next.from);
          params.set('to', next.to);
          params.delete('days');
        }
        return params;
      },
      { replace: true },
    );
  return { period, choose };
}

/** Parses the address; invalid values get defaults. */
export function readPeriod(search: URLSearchParams, today: string, byDefault: number): ChosenPeriod {
  const group = groups.find((candidate) => candidate === search.get('group')) ?? 'day';
  const from = search.get('from') ?? '';
  const to = search.get('to') ?? '';
  if (isDay(from) && isDay(to) && from <= to) return { group, from, to, days: undefined };
  const requestedDays = Number(search.get('days'));
  const days =
    Number.isInteger(requestedDays) && requestedDays >= 1 && requestedDays <= maxPeriodDays ? requestedDays : byDefault;
  return { group, days, ...lastDays(days, today) };
}

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
