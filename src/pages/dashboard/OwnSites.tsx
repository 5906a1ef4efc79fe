import './ownSites.css';
import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { presentDay } from '../../charts/period';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { CalendarLegend } from '../../resources/locations/CalendarLegend';
import { CalendarTable } from '../../resources/locations/CalendarTable';
import { SiteDayMark } from '../../resources/locations/SiteDayMark';
import { useOwnSites } from './useOwnSites';

/** Start page of Site Managers: today's progress of each site, and the calendar of the surrounding days. */
export const OwnSites = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const id = useId();
  const { sites, days } = useOwnSites();
  const area = (value: number) => formatNumber(Math.round(value), { language });
  return (
    <section className="sl-own-sites" aria-labelledby={id} aria-busy={!sites}>
      <header>
        <h2 id={id}>{translate('own_sites.title')}</h2>
        <Link to="/locations/calendar">{translate('calendar.title')}</Link>
      </header>
      <ul className="sl-own-sites__today">
        {sites?.map((site) => {
          const today = presentDay(site.time_zone);
          const siteDay = site.days.find(({ day }) => day === today);
          return (
            <li key={site.id}>
              <Link to={pathOf('locations', site.id)}>{site.name}</Link>
              {siteDay && <SiteDayMark siteDay={siteDay} planned={site.planned_area_m2} />}
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
      {sites && sites.length > 0 && (
        <>
          <CalendarTable rows={sites} days={days} dimmed={false} />
          <CalendarLegend rows={sites} />
        </>
      )}
    </section>
  );
};
