import './machine.css';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { type ListQuery, printListQuery } from '../../../schema/dsl/listQuery';
import type { EndpointResponse } from '../../../schema/endpoints';
import { useCountText } from '../../crud/shared/useCountText';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';
import { FormField } from '../../ui/FormField';
import { FormSelect } from '../../ui/FormSelect';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { DownloadLogs } from './DownloadLogs';
import { endOfLocalDay, startOfLocalDay } from './localDays';
import type { MachineRow } from './machineRow';
import { PeriodForm } from './PeriodForm';
import { usePeriod } from './usePeriod';

type LogEntry = EndpointResponse<'GET /machines/{id}/logs'>['data'][number];

const levels = ['info', 'warning', 'error'] as const;
const perPage = 50;
/** Milliseconds between the last keystroke and the request. */
const typingDelay = 250;
/** Minimum milliseconds between two reloads, which read every page loaded so far. */
const reloadPause = 2000;

/** The machine's log, newest first. New entries appear as they arrive. */
export function LogsTab({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const client = useQueryClient();
  const countText = useCountText();
  const { period, choose } = usePeriod({ timeZone: undefined, days: 7 });
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const level = levels.find((option) => option === search.get('level'));
  const [text, setText] = useState('');
  const searchText = useDebouncedValue(text.trim(), typingDelay);
  const [isTail, setTail] = useState(true);

  const filter: ListQuery['filter'] = [
    { path: 'at', values: [`>=${startOfLocalDay(period.from)}`, `<${endOfLocalDay(period.to)}`] },
    ...(level ? [{ path: 'level', values: [level] }] : []),
    ...(searchText ? [{ path: 'search', values: [searchText] }] : []),
  ];
  const key = ['machines', 'logs', machine.id, printListQuery({ filter })];
  const logs = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      call('GET /machines/{id}/logs', {
        params: { id: machine.id },
        search: printListQuery({ page: pageParam, per_page: perPage, filter }),
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ current_page, last_page }) => (current_page < last_page ? current_page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
  const reload = useThrottle(
    () => void client.invalidateQueries({ queryKey: ['machines', 'logs', machine.id] }),
    reloadPause,
  );
  useLive(`resource/machines/${machine.id}`, () => {
    if (isTail) reload();
  });
  const entries = distinctEntries(logs.data?.pages.flatMap(({ data }) => data) ?? []);
  const total = logs.data?.pages[0]?.total;

  return (
    <div className="sl-machine-tab" data-dimmed={logs.isPlaceholderData}>
      <div className="sl-machine-tools">
        <PeriodForm period={period} onChoose={choose} />
        <FormSelect
          label={translate('machine.level')}
          value={level ?? ''}
          onChange={({ target }) => updateSearch({ level: target.value })}
        >
          <option value="">{translate('filters.any')}</option>
          {levels.map((option) => (
            <option key={option} value={option}>
              {translate(`machine.levels.${option}`)}
            </option>
          ))}
        </FormSelect>
        <FormField
          label={translate('list.search')}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <DownloadLogs machine={machine} filter={filter} total={logs.isPlaceholderData ? undefined : total} />
        <label className="sl-machine-check">
          <input type="checkbox" checked={isTail} onChange={({ target }) => setTail(target.checked)} />
          {translate('machine.tail')}
        </label>
      </div>
      {logs.isError && <p role="alert">{translate('errors.generic')}</p>}
      {logs.isPending ? (
        <p role="status" aria-busy="true">
          {translate('list.loading_data')}
        </p>
      ) : entries.length === 0 ? (
        !logs.isError && <p role="status">{translate('machine.logs_empty')}</p>
      ) : (
        <>
          <p className="sl-machine-count">{countText('list.count', total ?? entries.length)}</p>
          <table className="sl-logs">
            <thead>
              <tr>
                <th scope="col">{translate('machine.time')}</th>
                <th scope="col">{translate('machine.level')}</th>
                <th scope="col">{translate('machine.event')}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map(({ id, at, level: entryLevel, text: entryText }) => (
                <tr key={id} data-level={entryLevel}>
                  <td>
                    <time dateTime={at}>{formatDateTime(at, { seconds: true })}</time>
                  </td>
                  <td>{translate(`machine.levels.${entryLevel}`)}</td>
                  <td>{entryText}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {logs.hasNextPage && (
            <button
              type="button"
              className="sl-button"
              disabled={logs.isFetchingNextPage}
              onClick={() => void logs.fetchNextPage()}
            >
              {translate('machine.older')}
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** Removes duplicates: an entry that arrives between two requests pushes another one onto the next page. */
function distinctEntries(entries: readonly LogEntry[]): LogEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
