import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { machines, type StateName } from '../../../schema/entities/machines';
import { StateMark } from '../../layout/StateMark';
import type { FacetMark } from '../list/FacetBar';
import { ListPage } from '../list/ListPage';
import { MapView } from './MapView';

/** The machines as a table and on a map, under one filter. */
export function MachinesList() {
  const translate = useTranslate();
  const views = useMemo(() => [{ name: 'map', label: translate('list.map'), element: <MapView /> }], [translate]);
  return <ListPage entity={machines} views={views} facetMark={stateMark} />;
}

/** The same marks as in the table. */
const stateMark: FacetMark = (name, { value }) => (name === 'status' ? <StateMark state={value as StateName} /> : undefined);
