import './calendar.css';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { SiteCalendar, SiteDay } from '../../../schema/endpoints/locations';
import { localeOf } from '../../../schema/shared/languages';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDate } from '../../i18n/format';
import { can } from '../../providers/auth';
import { ClosedDay, isClosed } from './ClosedDay';
import { createRunsPath } from './createRunsPath';
import { SiteDayMark } from './SiteDayMark';

interface Props {
  rows: readonly SiteCalendar[];
  days: readonly string[];
  /** Whether the rows are outdated while new ones load. */
  dimmed: boolean;
}

/**
 * Sites as rows and days as columns. Days link to their runs; the last column counts the planned days that were
 * cleaned.
 */
export const CalendarTable = ({ rows, days, dimmed }: Props) => {
  const translate = useTranslate();
  const language = useLanguage();
  const runsPath = useMemo(createRunsPath, []);
  const weekday = new Intl.DateTimeFormat(localeOf(language), { weekday: 'short', timeZone: 'UTC' });
  return (
    <section className="sl-calendar" data-dimmed={dimmed} aria-label={translate('calendar.title')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{translate('resources.locations.name', { smart_count: 1 })}</th>
            {days.map((day) => (
              <th key={day} scope="col" data-weekend={isWeekend(day)} title={formatDate(day)}>
                <span>{weekday.format(new Date(day)).slice(0, 2)}</span>
                {Number(day.slice(8))}.
              </th>
            ))}
            <th scope="col">{translate('calendar.done')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const sums = cleanedDays(row);
            return (
              <tr key={row.id}>
                <th scope="row">
                  <Link to={pathOf('locations', row.id)}>{row.name}</Link>
                </th>
                {row.days.map((siteDay) => (
                  <td key={siteDay.day} data-weekend={isWeekend(siteDay.day)}>
                    {isClosed(siteDay) && <ClosedDay />}
                    {isCleaned(siteDay) && can('runs', 'list') ? (
                      <Link className="sl-calendar-day" to={runsPath(row, siteDay.day)}>
                        <SiteDayMark siteDay={siteDay} planned={row.planned_area_m2} />
                      </Link>
                    ) : (
                      <SiteDayMark siteDay={siteDay} planned={row.planned_area_m2} />
                    )}
                  </td>
                ))}
                <td title={translate('calendar.done_of', sums)}>
                  {sums.planned > 0 ? `${sums.done}/${sums.planned}` : '–'}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};

const isCleaned = ({ cleaning, area_m2 }: SiteDay): boolean => cleaning > 0 || area_m2 > 0;

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(day).getUTCDay());

/** Number of past planned days, and how many of them were cleaned. */
function cleanedDays({ days }: SiteCalendar): { done: number; planned: number } {
  const count = (...states: (string | null)[]) => days.filter(({ state }) => states.includes(state)).length;
  return { done: count('cleaned'), planned: count('cleaned', 'partly', 'missed') };
}
