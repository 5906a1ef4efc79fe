import './calendar.css';
import { useTranslate } from 'react-admin';
import type { SiteCalendar } from '../../../schema/endpoints/locations';
import { siteDayStates } from '../../../schema/features/calendar';
import { siteDayIcons } from '../../crud/fields/siteDayIcons';
import { Icon } from '../../ui/Icon';
import { ClosedDay, isClosed } from './ClosedDay';

/** The marks of a calendar and, if a site has one, the shading of a closed day. */
export const CalendarLegend = ({ rows }: { rows: readonly SiteCalendar[] }) => {
  const translate = useTranslate();
  return (
    <ul className="sl-calendar-legend">
      {siteDayStates.map((state) => (
        <li key={state} className="sl-site-day" data-state={state}>
          <Icon name={siteDayIcons[state]} size={state === 'planned' ? 10 : 16} />
          {translate(`calendar.states.${state}`)}
        </li>
      ))}
      {rows.some(({ days }) => days.some(isClosed)) && (
        <li className="sl-site-day">
          <ClosedDay />
          {translate('calendar.closed')}
        </li>
      )}
    </ul>
  );
};
