import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import type { RunCoverage } from '../../../schema/endpoints/floors';
import { runs } from '../../../schema/entities/runs';
import { FieldDisplay } from '../../crud/fields/FieldDisplay';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber, formatPercent } from '../../i18n/format';
import type { PlanZone } from '../../map/plan/planPlaces';
import { ExactTimes } from '../../ui/RelativeTime';
import { formatOutcome } from './formatOutcome';
import type { RunRow } from './runRow';

/** Fields that are always shown. */
const fields = [
  'machine_id',
  'location_id',
  'started_at',
  'ended_at',
  'outcome',
  'planned_area_m2',
  'cleaned_area_m2',
  'coverage',
  'duration_s',
  'efficiency_m2_h',
] as const;
/** Fields that are shown only if they have a value. */
const optionalFields = [
  'floor_id',
  'task_name',
  'mode',
  'mode_raw',
  'distance_m',
  'water_l',
  'energy_wh',
  'battery_start',
  'battery_end',
  'operator',
  'consumables',
] as const;

interface Props {
  run: RunRow;
  record: RaRecord;
  coverage: RunCoverage | undefined;
  zones: readonly PlanZone[] | undefined;
}

/** The figures of a run: stored ones, and those computed from its path on the floor. */
export function RunFigures({ run, record, coverage, zones = [] }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const area = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : `${formatNumber(value, { language, decimals: 1 })} m²`;
  const percent = (share: number) => formatPercent(Math.round(share * 1000) / 10, { language });
  const computed = [
    ['covered', coverage?.covered_m2],
    ['often', coverage?.twice_m2],
    ['missed', coverage?.missed_m2],
  ] as const;
  return (
    <section className="sl-section sl-run__figures" aria-labelledby="run-figures">
      <h2 id="run-figures">{translate('plan.figures')}</h2>
      <p className="sl-run-outcome">{formatOutcome(run, { language, translate })}</p>
      <ExactTimes.Provider value={true}>
        <dl className="sl-values">
          {[...fields, ...optionalFields.filter((field) => run[field] !== null)].map((field) => (
            <div key={field}>
              <dt>{translate(`resources.runs.fields.${field}`)}</dt>
              <dd>
                <FieldDisplay entity={runs} source={field} record={record} />
              </dd>
            </div>
          ))}
        </dl>
      </ExactTimes.Provider>
      <h3>{translate('plan.by_path')}</h3>
      <dl className="sl-values">
        {computed.map(([name, value]) => (
          <div key={name}>
            <dt>{translate(`plan.${name}`)}</dt>
            <dd className="sl-numeral">{area(value)}</dd>
          </div>
        ))}
        <div>
          <dt>{translate('plan.width')}</dt>
          <dd className="sl-numeral">{coverage ? `${formatNumber(coverage.width_m, { language })} m` : '–'}</dd>
        </div>
      </dl>
      {coverage && coverage.zones.length > 0 && (
        <>
          <h3>{translate('resources.zones.plural')}</h3>
          <dl className="sl-run-zones">
            {coverage.zones.map(({ id, covered }) => (
              <div key={id}>
                <dt>
                  {zones.find((zone) => zone.id === id)?.name ?? translate('resources.zones.name', { smart_count: 1 })}
                </dt>
                <dd className="sl-numeral">{percent(covered)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
