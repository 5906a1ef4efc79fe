import { useGetList, useTranslate } from 'react-admin';
import { trackers } from '../../../schema/entities/trackers';
import { type ListEmbedding, ListPage } from '../../crud/list/ListPage';
import { inboxFilter } from './inboxFilter';
import { TrackerInbox } from './TrackerInbox';

/** The trackers as a table, and unassigned ones as an inbox, with the same filters. */
export function TrackersList({ embedded, syncsAddress }: ListEmbedding) {
  const translate = useTranslate();
  const { total = '…' } = useGetList('trackers', {
    filter: inboxFilter,
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
