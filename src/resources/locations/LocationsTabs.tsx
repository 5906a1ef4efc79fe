import { useTranslate } from 'ra-core';
import { can } from '../../providers/auth';
import { TabBar } from '../../ui/TabBar';

const paths = { list: '/locations', calendar: '/locations/calendar' } as const;

/** Tabs for the list of sites and the cleaning calendar. */
export const LocationsTabs = ({ open }: { open: keyof typeof paths }) => {
  const translate = useTranslate();
  if (!can('machines', 'list')) return null;
  return (
    <TabBar
      label={translate('resources.locations.plural')}
      tabs={[
        { to: paths.list, label: translate('resources.locations.plural') },
        { to: paths.calendar, label: translate('calendar.title') },
      ]}
      current={paths[open]}
    />
  );
};
