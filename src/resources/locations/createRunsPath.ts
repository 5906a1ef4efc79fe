import type { SiteCalendar } from '../../../schema/endpoints/locations';
import { addDays, startOfDay } from '../../charts/period';
import { pathOf } from '../../crud/shared/paths';

/**
 * Returns a function that builds the path of a list: the runs that started at a site on one day of its calendar. If the
 * browser has the site's time zone, the filter names the day, otherwise the instants at which the day starts and ends.
 */
export function createRunsPath(): (site: Pick<SiteCalendar, 'id' | 'time_zone'>, day: string) => string {
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const startTimes = new Map<string, string>();
  const findDayStart = (day: string, zone: string) => {
    const key = `${day} ${zone}`;
    const start = startTimes.get(key) ?? startOfDay(day, zone);
    startTimes.set(key, start);
    return start;
  };
  return ({ id, time_zone: zone }, day) => {
    const startFilter =
      zone === ownZone ? day : [`>=${findDayStart(day, zone)}`, `<${findDayStart(addDays(day, 1), zone)}`];
    const filter = JSON.stringify({ location_id: [id], started_at: startFilter });
    return `${pathOf('runs')}?filter=${encodeURIComponent(filter)}`;
  };
}
