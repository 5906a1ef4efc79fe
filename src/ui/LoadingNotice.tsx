import { useTranslate } from 'react-admin';
import { useIsServerReachable } from '../providers/reachability';
import { Icon } from './Icon';

/**
 * Notice that `what` is being loaded or applied (specification, section 8), or that the server is unreachable. Once it
 * answers again, the query client repeats the call.
 */
export const LoadingNotice = ({ what }: { what: 'data' | 'filters' | 'page' | 'per_page' }) => {
  const translate = useTranslate();
  const isReachable = useIsServerReachable();
  return (
    <p className="sl-loading" role="status" data-unreachable={!isReachable}>
      {isReachable ? <span className="sl-spinner" aria-hidden="true" /> : <Icon name="warning" size={18} />}
      {translate(isReachable ? `list.loading_${what}` : 'errors.network')}
    </p>
  );
};
