import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { machines, type StateName } from '../../../schema/entities/machines';
import { Icon } from '../../layout/Icon';
import { StateMark } from '../../layout/StateMark';
import type { BulkTarget } from '../../providers/bulk';
import type { MoreBulk } from '../list/BulkBar';
import type { FacetMark } from '../list/FacetBar';
import { ListPage } from '../list/ListPage';
import { MapView } from './MapView';

/** The machines as a table and on a map, under one filter. */
export function MachinesList() {
  const translate = useTranslate();
  const views = useMemo(() => [{ name: 'map', label: translate('list.map'), element: <MapView /> }], [translate]);
  return <ListPage entity={machines} views={views} facetMark={stateMark} moreBulk={labels} />;
}

const labels: MoreBulk = ({ target }) => <LabelsLink {...target} />;

const LabelsLink = ({ ids, filter }: BulkTarget) => {
  const translate = useTranslate();
  const which: Record<string, string> = filter ? { filter: JSON.stringify(filter) } : { ids: ids.join(',') };
  return (
    <Link className="sl-button" to={`/machines/labels?${new URLSearchParams(which)}`}>
      <Icon name="qr" size={16} />
      {translate('labels.link')}
    </Link>
  );
};

/** The same marks as in the table. */
const stateMark: FacetMark = (name, { value }) => (name === 'status' ? <StateMark state={value as StateName} /> : undefined);
