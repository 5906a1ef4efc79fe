import './machine.css';
import { useTranslate } from 'react-admin';
import { hasNoFigures, type ModeField, modeFields, type StateField, stateFields, totalOf } from '../../charts/figures';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDuration, formatShare } from '../../i18n/format';
import { AreaFigure } from './AreaFigure';
import { BatteryFigure } from './BatteryFigure';
import { Comparison } from './Comparison';
import { DownloadStatistics } from './DownloadStatistics';
import type { MachineRow } from './machineRow';
import { PeriodForm } from './PeriodForm';
import { TimesFigure } from './TimesFigure';
import { usePeriod } from './usePeriod';
import { useStatistics } from './useStatistics';

/** Time in each state and mode, and cleaned area, per day, week or month. */
export function StatisticsTab({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const language = useLanguage();
  const { period, choose } = usePeriod({ timeZone: machine.location?.time_zone });
  const { group, from, to } = period;
  const { data: rows = [], isPending, isPlaceholderData, isError } = useStatistics(machine.id, period);
  const share = (shareFields: readonly (StateField | ModeField)[], allFields: readonly (StateField | ModeField)[]) => {
    const [partSeconds, wholeSeconds] = [shareFields, allFields].map((fields) =>
      fields.reduce((sum, field) => sum + totalOf(rows, field), 0),
    ) as [number, number];
    return {
      time: formatDuration(partSeconds, language),
      percent: formatShare(wholeSeconds === 0 ? 0 : partSeconds / wholeSeconds, { language }),
    };
  };
  const isEmpty = hasNoFigures(rows, [...stateFields, 'messages']);

  return (
    <div className="sl-machine-tab" data-dimmed={isPlaceholderData}>
      <div className="sl-machine-tools">
        <PeriodForm period={period} onChoose={choose} grouped />
        <DownloadStatistics rows={rows} name={`${machine.serial_number} ${from} ${to}`} />
      </div>
      {isPending && (
        <p role="status" aria-busy="true">
          {translate('list.loading_data')}
        </p>
      )}
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {rows.length > 0 && isEmpty && <p role="status">{translate('machine.statistics_empty')}</p>}
      {rows.length > 0 && !isEmpty && (
        <>
          <Comparison machine={machine} rows={rows} period={{ from, to }} />
          <TimesFigure
            name="states"
            title={translate('charts.cleaned', share(['cleaning'], stateFields))}
            rows={rows}
            fields={stateFields}
            group={group}
          />
          {!hasNoFigures(rows, modeFields) && (
            <TimesFigure
              name="modes"
              title={translate('charts.robotic', share(['robotic'], modeFields))}
              rows={rows}
              fields={modeFields}
              group={group}
            />
          )}
          {!hasNoFigures(rows, ['area_m2']) && (
            // Despite its name, the field is the area that the machine is to clean per day.
            <AreaFigure rows={rows} group={group} planned={machine.working_radius_m2} />
          )}
          <BatteryFigure machine={machine} period={period} />
        </>
      )}
    </div>
  );
}
