import { useTranslate } from 'react-admin';
import { installationList } from '../../../schema/features/dashboard';
import { formatDateTime } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { CountGroup } from './CountGroup';
import { filteredListPath } from './FigureTile';
import { useInstallation } from './useInstallation';

/** Health of the installation for users who see all of it: unknown devices, waiting and failed messages, imports. */
export const InstallationHealth = () => {
  const translate = useTranslate();
  const { data } = useInstallation();
  const now = new Date(serverNow());
  const since = data?.waiting_since;
  return (
    <CountGroup
      title={translate('installation.title')}
      counts={[
        {
          name: 'devices',
          label: translate('installation.devices'),
          value: data?.devices,
          to: filteredListPath(installationList('devices', now)),
        },
        {
          name: 'waiting',
          label: translate('installation.waiting'),
          note: since ? translate('installation.waiting_since', { time: formatDateTime(since) }) : undefined,
          value: data?.waiting,
        },
        {
          name: 'failed',
          label: translate('installation.failed'),
          note: translate('installation.recently'),
          value: data?.failed,
          to: '/#inbox',
          urgent: true,
        },
        {
          name: 'imports',
          label: translate('installation.imports'),
          note: translate('installation.recently'),
          value: data?.imports,
          to: filteredListPath(installationList('imports', now)),
          urgent: true,
        },
      ]}
    />
  );
};
