import { Suspense } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { FleetPerformance, SiteShare } from '../../../schema/endpoints/dashboard';
import { pathOf } from '../../crud/shared/paths';
import { lazyPage } from '../../ui/lazyPage';
import { ShareMark } from './ShareMark';

const TodayMap = lazyPage(() => import('./TodayMap'), 'TodayMap');

/** Today's sites on a small map, and the best and worst sites of the period. */
export const SitesCard = ({ performance: { today, best, worst } }: { performance: FleetPerformance }) => {
  const translate = useTranslate();
  // With few sites one may be among both.
  const worstOnly = worst.filter(({ id }) => best.every((site) => site.id !== id));
  return (
    <section className="sl-performance__card sl-sites-card">
      <header>
        <h3>{translate('performance.sites_today')}</h3>
        <Link to="/locations/calendar">{translate('calendar.title')}</Link>
      </header>
      {today.length > 0 && (
        <div className="sl-sites-card__map">
          <Suspense fallback={null}>
            <TodayMap sites={today} />
          </Suspense>
        </div>
      )}
      {best.length > 0 ? (
        <div className="sl-sites-card__ends">
          <Ranking title={translate('performance.worst')} sites={worstOnly} />
          <Ranking title={translate('performance.best')} sites={best} />
        </div>
      ) : (
        <p className="sl-figure-note">{translate('performance.no_plans')}</p>
      )}
    </section>
  );
};

const Ranking = ({ title, sites }: { title: string; sites: readonly SiteShare[] }) =>
  sites.length === 0 ? null : (
    <div>
      <h4>{title}</h4>
      <ol>
        {sites.map(({ id, name, share }) => (
          <li key={id}>
            <Link to={pathOf('locations', id)}>{name}</Link>
            <ShareMark share={share} />
          </li>
        ))}
      </ol>
    </div>
  );
