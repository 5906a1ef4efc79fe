import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { machines } from '../../../schema/entities/machines';
import { ListPage } from '../list/ListPage';
import { MapView } from './MapView';

/** The machines as a table and on a map, under one filter. */
export function MachinesList() {
  const translate = useTranslate();
  const views = useMemo(() => [{ name: 'map', label: translate('list.map'), element: <MapView /> }], [translate]);
  return <ListPage entity={machines} views={views} />;
}
