import { useGetList, useTranslate } from 'react-admin';
import { trackers } from '../../../schema/entities/trackers';
import { ListPage, type ListPlace } from '../../crud/list/ListPage';
import { Inbox } from './Inbox';
import { unassignedFilter } from './unassignedFilter';

/** The trackers as a table, and unassigned ones as an inbox, with the same filters. */
export function TrackersList({ embedded, syncsAddress }: ListPlace) {
  const translate = useTranslate();
  const { total = '…' } = useGetList('trackers', {
    filter: unassignedFilter,
    pagination: { page: 1, perPage: 1 },
    sort: { field: 'last_seen', order: 'DESC' },
  });
  return (
    <ListPage
      entity={trackers}
      embedded={embedded}
      syncsAddress={syncsAddress}
      views={[
        { name: 'inbox', label: translate('trackers.inbox', { count: total }), icon: 'mail', element: <Inbox /> },
      ]}
    />
  );
}
