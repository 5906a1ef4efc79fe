import { useGetList, useTranslate } from 'react-admin';
import { trackers } from '../../../schema/entities/trackers';
import { type ListEmbedding, ListPage } from '../../crud/list/ListPage';
import { TrackerInbox } from './TrackerInbox';
import { unassignedFilter } from './unassignedFilter';

/** The trackers as a table, and unassigned ones as an inbox, with the same filters. */
export function TrackersList({ embedded, syncsAddress }: ListEmbedding) {
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
        {
          name: 'inbox',
          label: translate('trackers.inbox', { count: total }),
          icon: 'mail',
          element: <TrackerInbox />,
        },
      ]}
    />
  );
}
