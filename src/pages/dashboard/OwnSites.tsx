import './ownSites.css';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { addDays, dayOf } from '../../charts/period';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { call } from '../../providers/call';
import { CalendarTable } from '../../resources/locations/CalendarTable';
import { SiteDayMark } from '../../resources/locations/SiteDayMark';

/** Maximum number of sites; the calendar shows all. */
const maxSites = 12;
/** Days before and after today. */
const daysAround = 3;

/** Start of Site Managers: today's progress of each site, and the calendar of the days around today. */
export const OwnSites = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const id = useId();
  const today = dayOf(new Date());
  const days = Array.from({ length: 2 * daysAround + 1 }, (_, nth) => addDays(today, nth - daysAround));
  const { data: sites } = useQuery({
    queryKey: ['dashboard', 'own sites', today],
    queryFn: ({ signal }) =>
      call('GET /locations/calendar', {
        query: { from: addDays(today, -daysAround), to: addDays(today, daysAround) },
        search: `per_page=${maxSites}`,
        signal,
      }).then(({ data }) => data),
    refetchInterval: 60_000,
  });
  const area = (value: number) => formatNumber(Math.round(value), { language });
  return (
    <section className="sl-own-sites" aria-labelledby={id} aria-busy={!sites}>
      <header>
        <h2 id={id}>{translate('own_sites.title')}</h2>
        <Link to="/locations/calendar">{translate('calendar.title')}</Link>
      </header>
      <ul>
        {sites?.map((site) => {
          const siteDay = site.days.find(({ day }) => day === today);
          return (
            <li key={site.id}>
              <Link to={pathOf('locations', site.id)}>{site.name}</Link>
              {siteDay && <SiteDayMark of={siteDay} planned={site.planned_area_m2} />}
              <span>{translate(siteDay?.state ? `calendar.states.${siteDay.state}` : 'calendar.unplanned')}</span>
              {siteDay?.state && site.planned_area_m2 > 0 && (
                <small>
                  {translate('performance.area_of_plan', {
                    area: area(siteDay.area_m2),
                    planned: area(site.planned_area_m2),
                  })}
                </small>
              )}
            </li>
          );
        })}
      </ul>
      {sites && sites.length > 0 && <CalendarTable rows={sites} days={days} dimmed={false} />}
    </section>
  );
};
