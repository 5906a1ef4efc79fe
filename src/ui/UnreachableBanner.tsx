import { useTranslate } from 'react-admin';
import { formatDateTime } from '../i18n/format';
import { serverNow } from '../i18n/serverClock';
import { useOldestShown } from '../providers/lastSeen';
import { useIsServerReachable } from '../providers/reachability';
import { Icon } from './Icon';

/** Banner while the server is unreachable, with the age of the data on the page. */
export const UnreachableBanner = () => {
  const translate = useTranslate();
  const oldest = useOldestShown();
  if (useIsServerReachable()) return null;
  return (
    <p className="sl-unreachable" role="status">
      <Icon name="warning" size={18} />
      {oldest === undefined ? translate('errors.network') : translate('errors.as_of', { moment: formatMoment(oldest) })}
    </p>
  );
};

/** The time of day, with the date unless it is today. */
const formatMoment = (instant: number) => {
  const [day = '', time = ''] = formatDateTime(instant).split(' ');
  return formatDateTime(serverNow()).startsWith(day) ? time : `${day} ${time}`;
};
