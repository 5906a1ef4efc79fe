import { useTranslate } from 'react-admin';
import { Icon } from '../ui/Icon';
import { useAskLogout } from './useAskLogout';

export const LogoutButton = () => {
  const label = useTranslate()('frame.logout');
  return (
    <button type="button" className="sl-icon-button" onClick={useAskLogout()} aria-label={label} title={label}>
      <Icon name="logout" />
    </button>
  );
};
