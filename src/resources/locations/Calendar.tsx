import { ListContextProvider, type ListControllerResult } from 'ra-core';
import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { type SiteDayState, siteDayStates } from '../../../schema/features/calendar';
import { Pages } from '../../crud/list/Pages';
import { formatDate } from '../../i18n/format';
import { Icon } from '../../ui/Icon';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { CalendarLegend } from './CalendarLegend';
import { CalendarTable } from './CalendarTable';
import { useCalendar } from './useCalendar';

/** The cleaning calendar of all sites or of one: planned and cleaned days. */
export function Calendar({ location }: { location?: number }) {
  const translate = useTranslate();
  const id = useId();
  const {
    data,
    error,
    refetch,
    isPlaceholderData,
    days,
    state,
    day,
    page,
    perPage,
    isLast,
    setPage,
    setPerPage,
    filterByState,
    step,
  } = useCalendar(location);
  const total = data?.total;
  const pages = {
    resource: 'locations',
    page,
    perPage,
    total,
    setPage,
    setPerPage,
  } as Partial<ListControllerResult> as ListControllerResult;
  return (
    <>
      <div className="sl-calendar-tools">
        {!location && (
          <label htmlFor={id}>
            <span className="sl-hidden">{translate('filters.add')}</span>
            <select
              id={id}
              className="sl-select"
              value={state ?? ''}
              onChange={({ target }) => filterByState((target.value || undefined) as SiteDayState | undefined)}
            >
              <option value="">{translate('calendar.all')}</option>
              {siteDayStates.map((option) => (
                <option key={option} value={option}>
                  {translate('calendar.on_day', {
                    state: translate(`calendar.states.${option}`),
                    day: formatDate(day),
                  })}
                </option>
              ))}
            </select>
          </label>
        )}
        <CalendarLegend rows={data?.data ?? []} />
        <div className="sl-calendar-steps">
          <button type="button" className="sl-button" onClick={() => step(-1)}>
            <Icon name="previous" size={16} />
            {translate('calendar.earlier')}
          </button>
          <button type="button" className="sl-button" disabled={isLast} onClick={() => step(1)}>
            {translate('calendar.later')}
            <Icon name="next" size={16} />
          </button>
        </div>
      </div>
      {error && !data && <LoadFailed title={translate('calendar.error')} error={error} onRetry={refetch} />}
      {!error && !data && (
        <div aria-busy="true">
          <LoadingNotice what="data" />
        </div>
      )}
      {data && data.data.length === 0 && <p role="status">{translate('calendar.empty')}</p>}
      {data && data.data.length > 0 && <CalendarTable rows={data.data} days={days} dimmed={isPlaceholderData} />}
      {data && !location && (
        <ListContextProvider value={pages}>
          <Pages />
        </ListContextProvider>
      )}
    </>
  );
}
