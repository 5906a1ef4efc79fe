import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { machines, type StateName } from '../../../schema/entities/machines';
import type { RenderBulkActions } from '../../crud/list/BulkBar';
import type { FacetMark } from '../../crud/list/FacetBar';
import { type ListEmbedding, ListPage } from '../../crud/list/ListPage';
import type { ListView } from '../../crud/list/useListView';
import type { BulkTarget } from '../../providers/bulk';
import { Icon } from '../../ui/Icon';
import { StateMark } from '../../ui/StateMark';
import { MapView } from './MapView';
import { TimelineView } from './TimelineView';

/** The machines as a table, on a map and on a timeline, all with the same filters. */
export function MachinesList({ embedded, syncsAddress }: ListEmbedding) {
  const translate = useTranslate();
  const views = useMemo<readonly ListView[]>(
    () => [
      { name: 'map', label: translate('list.map'), icon: 'map', element: <MapView /> },
      { name: 'timeline', label: translate('list.timeline'), icon: 'timeline', element: <TimelineView /> },
    ],
    [translate],
  );
  return (
    <ListPage
      entity={machines}
      embedded={embedded}
      syncsAddress={syncsAddress}
      views={views}
      facetMark={stateMark}
      moreBulk={labels}
    />
  );
}

const labels: RenderBulkActions = ({ target }) => <LabelsLink {...target} />;

const LabelsLink = ({ ids, filter }: BulkTarget) => {
  const translate = useTranslate();
  const selectionQuery: Record<string, string> = filter ? { filter: JSON.stringify(filter) } : { ids: ids.join(',') };
  return (
    <Link className="sl-button" to={`/machines/labels?${new URLSearchParams(selectionQuery)}`}>
      <Icon name="qr" size={16} />
      {translate('labels.link')}
    </Link>
  );
};

/** Shows facet values of states with the marks of the table. */
const stateMark: FacetMark = (name, { value }) =>
  name === 'status' ? <StateMark state={value as StateName} /> : undefined;
