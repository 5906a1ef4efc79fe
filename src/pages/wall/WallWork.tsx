import { lazy, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import type { FleetPerformance, SiteShare } from '../../../schema/endpoints/dashboard';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDuration, formatNumber } from '../../i18n/format';
import { ShareMark } from '../dashboard/ShareMark';
import { autonomyOf, sharePrinter } from '../dashboard/shareLevels';
import { TrendChange } from '../dashboard/TrendCard';
import { useAreaBars } from '../dashboard/useAreaBars';
import { usePerformance } from '../dashboard/usePerformance';
import { WallFigure } from './WallFigure';
import '../dashboard/performance.css';

const Bars = lazy(async () => ({ default: (await import('../../charts/Bars')).Bars }));

/** Work of the fleet in the last 30 days, compared with the 30 days before. */
export const WallWork = () => {
  const { data } = usePerformance('30');
  return data ? <Work performance={data.data} /> : null;
};

const Work = ({ performance: { days, before, best, worst } }: { performance: FleetPerformance }) => {
  const translate = useTranslate();
  const language = useLanguage();
  const sumOf = (name: 'cleaning' | 'area_m2' | 'robotic' | 'manual') =>
    days.reduce((total, day) => total + day[name], 0);
  const print = (value: number) => formatNumber(Math.round(value), { language });
  const percent = sharePrinter(language);
  const hours = (seconds: number) => formatDuration(seconds, language);
  const autonomy = autonomyOf({ robotic: sumOf('robotic'), manual: sumOf('manual') });
  const { title, note, ...bars } = useAreaBars(days);
  const worstOnly = worst.filter(({ id }) => best.every((site) => site.id !== id));
  return (
    <>
      <section className="sl-wall__trends" aria-label={translate('dashboard.last_days', { smart_count: days.length })}>
        <WallFigure
          label={translate('charts.area')}
          value={print(sumOf('area_m2'))}
          unit="m²"
          note={<TrendChange now={sumOf('area_m2')} before={before.area_m2} print={print} />}
        />
        <WallFigure
          label={translate('dashboard.hours')}
          value={hours(sumOf('cleaning'))}
          note={<TrendChange now={sumOf('cleaning')} before={before.cleaning} print={hours} />}
        />
        <WallFigure
          label={translate('dashboard.autonomy')}
          value={percent(autonomy)}
          note={<TrendChange now={autonomy} before={autonomyOf(before)} print={percent} />}
        />
      </section>
      <figure className="sl-wall__chart">
        <figcaption>
          <h2>{title}</h2>
          {note && <p className="sl-wall__note">{note}</p>}
        </figcaption>
        <div>
          <Suspense fallback={null}>
            <Bars {...bars} scope="wall" label={title} height={320} />
          </Suspense>
        </div>
      </figure>
      {best.length > 0 && (
        <section className="sl-wall__sites">
          <Ranking title={translate('performance.worst')} sites={worstOnly} />
          <Ranking title={translate('performance.best')} sites={best} />
        </section>
      )}
    </>
  );
};

const Ranking = ({ title, sites }: { title: string; sites: readonly SiteShare[] }) =>
  sites.length === 0 ? null : (
    <div>
      <h2>{title}</h2>
      <ol>
        {sites.map(({ id, name, share }) => (
          <li key={id}>
            <span>{name}</span>
            <ShareMark share={share} />
          </li>
        ))}
      </ol>
    </div>
  );
