import { useTranslate } from 'react-admin';
import type { SiteDay } from '../../../schema/endpoints/locations';
import { siteDayIcons } from '../../crud/fields/siteDayIcons';
import { formatOpenSpans } from '../../crud/shared/formatOpenSpans';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useReportedAreaText } from '../../crud/shared/useReportedAreaText';
import { formatDate, formatDuration, formatNumber } from '../../i18n/format';
import { Icon } from '../../ui/Icon';

/** The result of a site day as a mark. Its text also states what was cleaned. */
export const SiteDayMark = ({
  siteDay: { day, state, area_m2, reported_area_m2, cleaning, open, holiday },
  planned,
}: {
  siteDay: SiteDay;
  planned: number;
}) => {
  const translate = useTranslate();
  const language = useLanguage();
  const reportedArea = useReportedAreaText()(reported_area_m2);
  const print = (value: number) => formatNumber(Math.round(value), { language });
  const amount = { area: print(area_m2), planned: print(planned), time: formatDuration(cleaning, language) };
  const description = [
    formatDate(day),
    translate(state ? `calendar.states.${state}` : 'calendar.unplanned'),
    ...(cleaning > 0
      ? [planned > 0 ? translate('calendar.amount_of', amount) : `${amount.area} m², ${amount.time}`]
      : []),
    ...(reportedArea ? [reportedArea] : []),
    ...(holiday ? [holiday] : []),
    ...(open ? [`${translate('resources.locations.fields.opening_hours')}: ${formatOpenSpans(open, translate)}`] : []),
  ].join(' · ');
  return (
    <span className="sl-site-day" data-state={state ?? 'none'} title={description}>
      {state && <Icon name={siteDayIcons[state]} size={state === 'planned' ? 10 : 16} />}
      <span className="sl-hidden">{description}</span>
    </span>
  );
};
