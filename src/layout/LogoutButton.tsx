import { useTranslate } from 'react-admin';
import { IconButton } from '../ui/IconButton';
import { useAskLogout } from './useAskLogout';

export const LogoutButton = () => {
  const label = useTranslate()('frame.logout');
  return <IconButton icon="logout" label={label} size={20} onClick={useAskLogout()} />;
};
