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

/** Sites with a row; the calendar has all. */
const maxSites = 12;
/** Days before and after today. */
const reach = 3;

/** The start of a Site Manager: what is done of each site's plan today, and the calendar of the days around it. */
export const OwnSites = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const id = useId();
  const today = dayOf(new Date());
  const days = Array.from({ length: 2 * reach + 1 }, (_, nth) => addDays(today, nth - reach));
  const { data: sites } = useQuery({
    queryKey: ['dashboard', 'own sites', today],
    queryFn: ({ signal }) =>
      call('GET /locations/calendar', {
        query: { from: addDays(today, -reach), to: addDays(today, reach) },
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
          const of = site.days.find(({ day }) => day === today);
          return (
            <li key={site.id}>
              <Link to={pathOf('locations', site.id)}>{site.name}</Link>
              {of && <SiteDayMark of={of} planned={site.planned_area_m2} />}
              <span>{translate(of?.state ? `calendar.states.${of.state}` : 'calendar.unplanned')}</span>
              {of?.state && site.planned_area_m2 > 0 && (
                <small>
                  {translate('performance.area_of_plan', {
                    area: area(of.area_m2),
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
