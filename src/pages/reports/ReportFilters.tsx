import { type ReactNode, useId } from 'react';
import { useTranslate } from 'react-admin';
import { type ReportFilter, reports } from '../../../schema/features/reports';
import { registry } from '../../../schema/index';
import { localeOf } from '../../../schema/shared/languages';
import { longLabel, presentDay } from '../../charts/period';
import { DayBox } from '../../crud/fields/DayBox';
import { RowPicker } from '../../crud/fields/RowPicker';
import { useLanguage } from '../../crud/shared/useLanguage';
import { can } from '../../providers/auth';
import type { Filters } from '../../providers/filters';
import { type Choice, monthBefore } from './useReport';

interface Props {
  choice: Choice;
  onChoose: (values: Partial<Record<keyof Choice | ReportFilter, string | number | undefined>>) => void;
}

const entities = {
  client_id: registry.clients,
  fleet_id: registry.fleets,
  location_id: registry.locations,
  view_id: registry.saved_views,
};
/** Number of months to choose from. */
const monthsBack = 36;

/** Filters of a report: client, fleet, location, saved view, period and level. */
export function ReportFilters({ choice, onChoose }: Props) {
  const translate = useTranslate();
  const { report, filter, by } = choice;
  const { timeframe, levels, rows } = reports[report];
  /** Restricts fleets to the chosen client, and locations to the chosen fleet. */
  const optionFilters: Record<ReportFilter, Filters> = {
    client_id: {},
    fleet_id: pick(filter, 'client_id'),
    location_id: pick(filter, 'client_id', 'fleet_id'),
    view_id: { resource: rows },
  };
  const narrowerFilters: Record<ReportFilter, Partial<Record<ReportFilter, undefined>>> = {
    client_id: { fleet_id: undefined, location_id: undefined },
    fleet_id: { location_id: undefined },
    location_id: {},
    view_id: {},
  };
  return (
    <form className="sl-report-filters" onSubmit={(event) => event.preventDefault()}>
      {(Object.keys(entities) as ReportFilter[])
        .filter((name) => can(entities[name].name, 'list'))
        .map((name) => (
          <LabelledInput
            key={name}
            label={translate(name === 'view_id' ? 'reporting.view' : `resources.machines.fields.${name}`)}
          >
            {(id) => (
              <RowPicker
                id={id}
                entity={entities[name]}
                value={filter[name] ? [filter[name]] : []}
                filter={optionFilters[name]}
                onChange={([selectedId]) => onChoose({ ...narrowerFilters[name], [name]: selectedId })}
              />
            )}
          </LabelledInput>
        ))}
      {timeframe === 'period' ? (
        <LabelledInput label={translate('reporting.month')}>
          {(id) => <Months id={id} choice={choice} onChoose={onChoose} />}
        </LabelledInput>
      ) : (
        <LabelledInput label={translate('reporting.until')}>
          {(id) => (
            <DayBox
              id={id}
              value={choice.date}
              onChange={(date) => /^\d{4}-\d{2}-\d{2}$/.test(date) && onChoose({ date })}
            />
          )}
        </LabelledInput>
      )}
      {levels.length > 2 && (
        <LabelledInput label={translate('reporting.detail')}>
          {(id) => (
            <select id={id} className="sl-select" value={by} onChange={({ target }) => onChoose({ by: target.value })}>
              {levels.map((level) => (
                <option key={level} value={level}>
                  {translate(`reports.levels.${level}`)}
                </option>
              ))}
            </select>
          )}
        </LabelledInput>
      )}
    </form>
  );
}

const pick = (filter: Choice['filter'], ...names: ReportFilter[]) =>
  Object.fromEntries(names.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));

function Months({ id, choice, onChoose }: Props & { id: string }) {
  const monthFormat = new Intl.DateTimeFormat(localeOf(useLanguage()), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const { month, from, to } = choice;
  const months = lastMonths(presentDay());
  return (
    <select
      id={id}
      className="sl-select"
      value={month ?? ''}
      onChange={({ target }) => onChoose({ month: target.value, from: undefined, to: undefined })}
    >
      {!month && from && to && <option value="">{longLabel({ from, to })}</option>}
      {month && !months.includes(month) && <option value={month}>{monthFormat.format(new Date(`${month}-01`))}</option>}
      {months.map((option) => (
        <option key={option} value={option}>
          {monthFormat.format(new Date(`${option}-01`))}
        </option>
      ))}
    </select>
  );
}

/** The last `monthsBack` months as `YYYY-MM`, the current one first. */
function lastMonths(today: string): string[] {
  const months = [today.slice(0, 7)];
  while (months.length < monthsBack) months.push(monthBefore(`${months.at(-1)}-01`));
  return months;
}

const LabelledInput = ({ label, children }: { label: string; children: (id: string) => ReactNode }) => {
  const id = useId();
  return (
    <div className="sl-report-filter">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
};
