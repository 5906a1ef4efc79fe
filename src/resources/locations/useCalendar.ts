/** Sites and days of the cleaning calendar for the parameters in the URL. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isDay } from '../../../schema/dsl/isDay';
import { type SiteDayState, siteDayStates } from '../../../schema/features/calendar';
import { addDays, latestPresentDay, presentDay } from '../../charts/period';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { call } from '../../providers/call';
import { useIsMobile } from '../../ui/useIsMobile';

/** Numbers of days shown. */
const dayCounts = { desktop: 28, phone: 7 };

/**
 * The calendar of all sites, or of the one with the id `location`. Unless the URL names its last day, it ends today in
 * the time zone that is furthest ahead: the user's, or that of a site on the page.
 */
export function useCalendar(location?: number) {
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const dayCount = dayCounts[useIsMobile() ? 'phone' : 'desktop'];
  const [knownTimeZones, setKnownTimeZones] = useState('');
  const today = latestPresentDay(knownTimeZones.split(' ').filter(Boolean));
  const to = validDay(search.get('to')) ?? today;
  const from = addDays(to, 1 - dayCount);
  const state = siteDayStates.find((candidate) => candidate === search.get('state'));
  const day = validDay(search.get('day')) ?? addDays(presentDay(), -1);
  const page = Number(search.get('page')) || 1;
  const perPage = Number(search.get('per_page')) || 25;
  const apiQuery = new URLSearchParams({ from, to, page: String(page), per_page: String(perPage) });
  if (location) apiQuery.set('filter[id]', String(location));
  if (state) {
    apiQuery.set('state', state);
    apiQuery.set('day', day);
  }

  const query = useQuery({
    queryKey: ['locations', 'calendar', String(apiQuery)],
    queryFn: ({ signal }) => call('GET /locations/calendar', { search: String(apiQuery), signal }),
    placeholderData: keepPreviousData,
  });
  const timeZones = [...new Set(query.data?.data.map(({ time_zone }) => time_zone))].sort().join(' ');
  if (timeZones !== knownTimeZones) setKnownTimeZones(timeZones);
  const change = (values: Record<string, string | undefined>) => updateSearch(values, { isNewEntry: true });
  return {
    ...query,
    days: Array.from({ length: dayCount }, (_, index) => addDays(from, index)),
    state,
    day,
    page,
    perPage,
    isLast: to >= today,
    setPage: (next: number) => change({ page: String(next) }),
    setPerPage: (next: number) => change({ per_page: String(next), page: undefined }),
    filterByState: (next: SiteDayState | undefined) => change({ state: next, day: next && day, page: undefined }),
    step: (direction: 1 | -1) => {
      const next = addDays(to, direction * dayCount);
      change({ to: next >= today ? undefined : next });
    },
  };
}

const validDay = (text: string | null): string | undefined => (text && isDay(text) ? text : undefined);
