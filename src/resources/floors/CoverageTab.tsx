import './floors.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { isDay } from '../../../schema/dsl/isDay';
import type { Point } from '../../../schema/dsl/polygons';
import { localDay, shiftDay } from '../../../schema/shared/openSpans';
import { DayBox } from '../../crud/fields/DayBox';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDate, formatNumber } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { PlanBox } from '../../map/plan/PlanBox';
import { PlanLegend } from '../../map/plan/PlanLegend';
import { PlanPicture } from '../../map/plan/PlanPicture';
import { PlanView } from '../../map/plan/PlanView';
import type { PlanZone } from '../../map/plan/planPlaces';
import { call } from '../../providers/call';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import type { FloorRecord } from './floorRecord';
import { useFloorZones } from './useFloorZones';
import { ZoneCleanings } from './ZoneCleanings';

/** Periods in days; the longest one is the API's limit. */
const periods = { day: 1, week: 7, month: 30, ever: 3700 } as const;
type PeriodName = keyof typeof periods;

/** Coverage of a floor in a period: heat map, figures and overdue zones. */
export function CoverageTab({ floor }: { floor: FloorRecord }) {
  const translate = useTranslate();
  const language = useLanguage();
  const untilId = useId();
  const [period, setPeriod] = useState<PeriodName>('week');
  const [to, setTo] = useState(() => localDay(serverNow(), floor.location?.time_zone ?? 'UTC'));
  const from = shiftDay(to, 1 - periods[period]);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['floors', 'coverage', floor.id, floor.version, from, to],
    queryFn: ({ signal }) =>
      call('GET /floors/{id}/coverage', { params: { id: floor.id }, query: { from, to }, signal }),
    placeholderData: keepPreviousData,
  });
  const zones = useFloorZones(floor.id);
  const firstError = (!data && error) || (!zones.data && zones.error);
  if (firstError)
    return (
      <LoadFailed
        title={translate('floors.coverage_failed')}
        error={firstError}
        onRetry={() => void Promise.all([refetch(), zones.refetch()])}
      />
    );
  if (!data || !zones.data) return <LoadingNotice what="data" />;
  const planZones = zones.data.map((zone) => ({ ...zone, polygon: zone.polygon as Point[] }) as PlanZone);
  const { covered_m2, twice_m2, missed_m2, runs, reason } = data.data;
  const area = (value: number | null) =>
    value === null ? '–' : translate('floors.m2', { area: formatNumber(value, { language, decimals: 1 }) });
  const figures = { covered: covered_m2, often: twice_m2, missed: missed_m2 } as const;

  return (
    <div className="sl-floor-plan">
      <fieldset className="sl-floor-tools">
        <legend>{translate('floors.period')}</legend>
        {(Object.keys(periods) as PeriodName[]).map((name) => (
          <button
            key={name}
            type="button"
            className="sl-button"
            aria-pressed={name === period}
            onClick={() => setPeriod(name)}
          >
            {translate(`floors.period_${name}`)}
          </button>
        ))}
        <span className="sl-floor-until">
          <label htmlFor={untilId}>{translate('floors.until')}</label>
          <DayBox id={untilId} value={to} onChange={(day) => isDay(day) && setTo(day)} />
        </span>
      </fieldset>
      <p role="status">
        {period === 'day'
          ? formatDate(to)
          : period === 'ever'
            ? translate('floors.until_day', { day: formatDate(to) })
            : translate('floors.from_to', { from: formatDate(from), to: formatDate(to) })}
        {' · '}
        {translate('floors.runs', { smart_count: runs })}
      </p>
      {reason && <p className="sl-notice">{reason}</p>}
      <div className="sl-floor">
        <div className="sl-floor-plan" aria-busy={isPlaceholderData}>
          <PlanBox>
            <PlanView
              label={translate('floors.heat_map', { name: floor.name })}
              floor={floor}
              zones={planZones}
              coverage={data.data}
            />
            <PlanPicture
              label={translate('floors.heat_map', { name: floor.name })}
              floor={floor}
              zones={planZones}
              coverage={data.data}
              legs={[]}
              marks={[]}
            />
          </PlanBox>
          <PlanLegend zones={planZones} hasCoverage={data.data.image !== null} />
        </div>
        <section className="sl-section" aria-label={translate('floors.figures')}>
          <h2>{translate('floors.figures')}</h2>
          <dl className="sl-values">
            {Object.entries(figures).map(([name, value]) => (
              <div key={name}>
                <dt>{translate(`plan.${name}`)}</dt>
                <dd>{area(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <ZoneCleanings floor={floor} zones={zones.data} shares={data.data.zones} />
    </div>
  );
}
