import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import type { FleetPerformance } from '../../../schema/endpoints/dashboard';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { SitesMap } from '../../map/SitesMap';
import { progressOf, sharePrinter } from './shareLevels';

/**
 * Map of sites by today's progress; a click opens the site. The server sorts the sites so that those with little
 * progress are drawn on top.
 */
export const TodayMap = ({ sites }: { sites: FleetPerformance['today'] }) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const percent = sharePrinter(useLanguage());
  return (
    <SitesMap
      label={translate('performance.sites_today')}
      sites={sites.toReversed().map(({ share, name, ...site }) => ({
        ...site,
        label: share === null ? name : `${name}: ${percent(share)}`,
        progress: progressOf(share),
      }))}
      onSite={(id) => navigate(pathOf('locations', id))}
    />
  );
};
