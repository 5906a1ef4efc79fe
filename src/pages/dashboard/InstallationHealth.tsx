import { useTranslate } from 'react-admin';
import { installationList } from '../../../schema/features/dashboard';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDateTime, formatNumber } from '../../i18n/format';
import { FigureGroup } from './FigureGroup';
import { FigureTile, filteredListPath } from './FigureTile';
import { useInstallation } from './useInstallation';

/** Health of the installation for users who see all of it: unknown devices, waiting and failed messages, imports. */
export const InstallationHealth = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const { data } = useInstallation();
  const number = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value, { language }));
  const now = new Date();
  const since = data?.waiting_since;
  return (
    <FigureGroup wide title={translate('installation.title')}>
      <FigureTile
        label={translate('installation.devices')}
        value={number(data?.devices)}
        to={filteredListPath(installationList('devices', now))}
      />
      <FigureTile
        label={translate('installation.waiting')}
        value={number(data?.waiting)}
        note={since ? translate('installation.waiting_since', { time: formatDateTime(since) }) : undefined}
      />
      <FigureTile
        label={translate('installation.failed')}
        note={translate('installation.recently')}
        value={number(data?.failed)}
        to="/#inbox"
        urgent={(data?.failed ?? 0) > 0}
      />
      <FigureTile
        label={translate('installation.imports')}
        note={translate('installation.recently')}
        value={number(data?.imports)}
        to={filteredListPath(installationList('imports', now))}
        urgent={(data?.imports ?? 0) > 0}
      />
    </FigureGroup>
  );
};
