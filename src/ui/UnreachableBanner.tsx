import { useTranslate } from 'react-admin';
import { useIsServerReachable } from '../providers/reachability';
import { Icon } from './Icon';

/** Banner while the server cannot be reached. */
export const UnreachableBanner = () => {
  const translate = useTranslate();
  if (useIsServerReachable()) return null;
  return (
    <p className="sl-unreachable" role="status">
      <Icon name="warning" size={18} />
      {translate('errors.network')}
    </p>
  );
};
