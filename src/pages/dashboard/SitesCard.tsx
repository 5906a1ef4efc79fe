import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { FleetPerformance, SiteShare } from '../../../schema/endpoints/dashboard';
import { ChartFrame } from '../../charts/ChartFrame';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { SiteProgressMark, siteProgresses } from '../../map/SiteProgressMark';
import { AfterPaint } from '../../ui/AfterPaint';
import { lazyPage } from '../../ui/lazyPage';
import { Ranking } from './Ranking';
import { ShareMark } from './ShareMark';
import { progressOf, sharePrinter } from './shareLevels';

const TodayMap = lazyPage(() => import('./TodayMap'), 'TodayMap');

/** Today's sites on a small map, and the best and worst sites of the period. */
export const SitesCard = ({ performance: { days, today, best, worst } }: { performance: FleetPerformance }) => {
  const translate = useTranslate();
  const percent = sharePrinter(useLanguage());
  const id = useId();
  // With few sites, the same site could be in both rankings.
  const worstOnly = worst.filter(({ id }) => best.every((site) => site.id !== id));
  return (
    <section className="sl-performance__card sl-sites-card">
      <header>
        <h3>{translate('performance.sites_today')}</h3>
        <Link to="/locations/calendar">{translate('calendar.title')}</Link>
      </header>
      {today.length > 0 && (
        <ChartFrame
          name="sites_today"
          title={translate('performance.sites_today')}
          table={() => (
            <table>
              <thead>
                <tr>
                  <th scope="col">{translate('resources.locations.name', { smart_count: 1 })}</th>
                  <th scope="col">{translate('calendar.done')}</th>
                  <th scope="col">{translate('performance.judgement')}</th>
                </tr>
              </thead>
              <tbody>
                {today.map(({ id, name, share }) => (
                  <tr key={id}>
                    <th scope="row">
                      <Link to={pathOf('locations', id)}>{name}</Link>
                    </th>
                    <td>{percent(share)}</td>
                    <td>{translate(`performance.today_${progressOf(share)}`)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        >
          <div className="sl-sites-card__map">
            <AfterPaint>
              <TodayMap sites={today} />
            </AfterPaint>
          </div>
          <ul className="sl-sites-card__legend">
            {siteProgresses.map((progress) => (
              <li key={progress}>
                <SiteProgressMark progress={progress} />
                {translate(`performance.today_${progress}`)}
              </li>
            ))}
          </ul>
        </ChartFrame>
      )}
      {best.length > 0 ? (
        <section className="sl-sites-card__period" aria-labelledby={id}>
          <h4 id={id}>
            {translate('performance.fulfilment')} · {translate('dashboard.last_days', { smart_count: days.length })}
          </h4>
          <p className="sl-figure-note">{translate('performance.fulfilment_note')}</p>
          <div className="sl-sites-card__ends">
            <SiteRanking title={translate('performance.worst')} sites={worstOnly} />
            <SiteRanking
              title={translate(worstOnly.length > 0 ? 'performance.best' : 'performance.all')}
              sites={best}
            />
          </div>
        </section>
      ) : (
        <p className="sl-figure-note">{translate('performance.no_plans')}</p>
      )}
    </section>
  );
};

const SiteRanking = ({ title, sites }: { title: string; sites: readonly SiteShare[] }) =>
  sites.length === 0 ? null : (
    <Ranking title={title}>
      {sites.map(({ id, name, share }) => (
        <li key={id}>
          <Link to={pathOf('locations', id)}>{name}</Link>
          <ShareMark share={share} />
        </li>
      ))}
    </Ranking>
  );
