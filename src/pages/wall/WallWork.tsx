import { lazy, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import type { FleetPerformance, SiteShare } from '../../../schema/endpoints/dashboard';
import { localeOf } from '../../../schema/shared/languages';
import { longLabel, shortLabel } from '../../charts/period';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useReportedArea } from '../../crud/shared/useReportedArea';
import { formatDuration, formatNumber } from '../../i18n/format';
import { ShareMark } from '../dashboard/ShareMark';
import { autonomyOf, sharePrinter } from '../dashboard/shareLevels';
import { TrendChange } from '../dashboard/TrendCard';
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
  const reportedWords = useReportedArea();
  const sum = (name: 'cleaning' | 'area_m2' | 'reported_area_m2' | 'planned_area_m2' | 'robotic' | 'manual') =>
    days.reduce((total, day) => total + day[name], 0);
  const print = (value: number) => formatNumber(Math.round(value), { language });
  const compact = new Intl.NumberFormat(localeOf(language), { notation: 'compact', maximumFractionDigits: 1 });
  const percent = sharePrinter(language);
  const hours = (seconds: number) => formatDuration(seconds, language);
  const autonomy = autonomyOf({ robotic: sum('robotic'), manual: sum('manual') });
  const hasPlan = sum('planned_area_m2') > 0;
  const area = hasPlan
    ? translate('performance.area_of_plan', { area: print(sum('area_m2')), planned: print(sum('planned_area_m2')) })
    : `${translate('charts.area')}: ${print(sum('area_m2'))} m²`;
  const worstOnly = worst.filter(({ id }) => best.every((site) => site.id !== id));
  return (
    <>
      <section className="sl-wall__trends" aria-label={translate('dashboard.last_days', { smart_count: days.length })}>
        <WallFigure
          label={translate('charts.area')}
          value={print(sum('area_m2'))}
          unit="m²"
          note={<TrendChange now={sum('area_m2')} before={before.area_m2} print={print} />}
        />
        <WallFigure
          label={translate('dashboard.hours')}
          value={hours(sum('cleaning'))}
          note={<TrendChange now={sum('cleaning')} before={before.cleaning} print={hours} />}
        />
        <WallFigure
          label={translate('dashboard.autonomy')}
          value={percent(autonomy)}
          note={<TrendChange now={autonomy} before={autonomyOf(before)} print={percent} />}
        />
      </section>
      <figure className="sl-wall__chart">
        <figcaption>
          <h2>{[area, reportedWords(sum('reported_area_m2'))].filter(Boolean).join(' · ')}</h2>
        </figcaption>
        <div>
          <Suspense fallback={null}>
            <Bars
              scope="wall"
              label={area}
              unit="m²"
              print={print}
              printTick={(value) => compact.format(value)}
              height={320}
              plan={hasPlan ? translate('performance.planned') : undefined}
              data={days.map(({ day, area_m2, planned_area_m2 }) => ({
                name: shortLabel('day', day),
                full: longLabel({ from: day, to: day }),
                area: area_m2,
                plan: planned_area_m2,
              }))}
              series={[{ kind: 'area', label: translate('charts.area') }]}
            />
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
