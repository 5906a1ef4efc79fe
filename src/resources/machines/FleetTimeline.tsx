import './fleetTimeline.css';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { ChartFrame } from '../../charts/ChartFrame';
import { stateFields, stateOf } from '../../charts/figures';
import { timelineRows, timelineSpans } from '../../charts/fleetRows';
import { Swatch } from '../../charts/Patterns';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDateTime, formatDuration } from '../../i18n/format';
import { errorMessage } from '../../providers/errorMessage';
import { RowPages } from '../../ui/RowPages';
import { TimelineRows } from './TimelineRows';
import { groupOptions, orderOptions, useFleetTimeline, useNow, useTimelineChoice } from './useFleetTimeline';

/** States over 24 hours or 7 days, one row per machine, with the charts' patterns. */
export function FleetTimeline({ filter }: { filter: ListQuery['filter'] }) {
  const translate = useTranslate();
  const language = useLanguage();
  const now = useNow();
  const [choice, choose] = useTimelineChoice();
  const { group, order, span } = choice;
  const [chosenPage, setPage] = useState({ filter, group, order, page: 1 });
  // Another filter, grouping or order starts at the first page.
  const isSameList = chosenPage.filter === filter && chosenPage.group === group && chosenPage.order === order;
  const currentPage = isSameList ? chosenPage.page : 1;
  const {
    data: timeline,
    error,
    isPlaceholderData,
    length,
  } = useFleetTimeline({
    filter,
    choice,
    page: currentPage,
    now,
  });
  const data = timeline?.data;
  const start = data ? Date.parse(data.from) : 0;
  const rows = useMemo(() => (data ? timelineRows(data, group !== undefined) : []), [data, group]);
  const title = translate('timeline.title');
  const groupName = (id: number | null) => data?.groups.find((row) => row.id === id)?.name;
  const columns = stateFields.map((field) => [field, translate(`resources.machines.choices.status.${stateOf[field]}`)]);

  return (
    <div className="sl-fleet">
      <div className="sl-fleet__tools">
        <Choice
          label={translate('charts.period')}
          value={span}
          options={timelineSpans.map((name) => [name, translate(`timeline.${name}`)])}
          onChange={(value) => choose('span', value)}
        />
        <Choice
          label={translate('machine.group_by')}
          value={group ?? ''}
          options={[
            ['', translate('timeline.no_groups')],
            ...groupOptions.map((name) => [name, translate(`resources.machines.fields.${name}_id`)] as const),
          ]}
          onChange={(value) => choose('group', value)}
        />
        <Choice
          label={translate('timeline.order')}
          value={order}
          options={orderOptions.map((name) => [name, translate(`timeline.by_${name}`)])}
          onChange={(value) => choose('longest', value === 'name' ? '' : value)}
        />
        <ul className="sl-fleet__legend">
          {columns.map(([field, word]) => (
            <li key={field}>
              <Swatch kind={field as (typeof stateFields)[number]} scope="fleet" />
              {word}
            </li>
          ))}
        </ul>
      </div>
      {error && <p role="alert">{errorMessage(error, translate)}</p>}
      {!error && rows.length === 0 && (
        <p role="status" aria-busy={!data}>
          {translate(data ? 'timeline.empty' : 'list.loading_data')}
        </p>
      )}
      {!error && data && rows.length > 0 && (
        <div data-dimmed={isPlaceholderData}>
          <p className="sl-fleet__period">
            {formatDateTime(start)} – {formatDateTime(start + length)}
          </p>
          <ChartFrame
            name="fleet_timeline"
            title={title}
            table={() => (
              <table>
                <thead>
                  <tr>
                    <th>{translate('resources.machines.name', { smart_count: 1 })}</th>
                    {group && <th>{translate(`resources.machines.fields.${group}_id`)}</th>}
                    {columns.map(([field, word]) => (
                      <th key={field}>{word}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {data.machines.map((machine) => (
                    <tr key={machine.id}>
                      <th scope="row">{machine.serial_number}</th>
                      {group && <td>{groupName(machine.group) ?? translate('record.empty')}</td>}
                      {stateFields.map((field) => (
                        <td key={field}>{formatDuration(machine[field], language)}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          >
            <TimelineRows rows={rows} from={start} to={start + length} now={now} title={title} />
            {timeline.last_page > 1 && (
              <RowPages
                page={currentPage}
                pages={timeline.last_page}
                onPage={(next) => setPage({ filter, group, order, page: next })}
              />
            )}
          </ChartFrame>
        </div>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

const Choice = ({ label, value, options, onChange }: ChoiceProps) => (
  <label className="sl-fleet__choice">
    <span>{label}</span>
    <select className="sl-select" value={value} onChange={({ target }) => onChange(target.value)}>
      {options.map(([name, word]) => (
        <option key={name} value={name}>
          {word}
        </option>
      ))}
    </select>
  </label>
);
