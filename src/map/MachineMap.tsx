import { useQueryClient } from '@tanstack/react-query';
import type { Map as LeafletMap } from 'leaflet';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMapEvents } from 'react-leaflet';
import { printListQuery } from '../../schema/dsl/listQuery';
import { LoadingNotice } from '../ui/LoadingNotice';
import { BaseMap } from './BaseMap';
import { type Bounds, boundsOf } from './bounds';
import { ClusterPopup } from './ClusterPopup';
import { MachineList } from './MachineList';
import { MachineMarks } from './MachineMarks';
import { MachinePopup } from './MachinePopup';
import type { Cluster, MapPoint } from './mapAnswer';
import { viewportOf } from './Sites';
import type { ListedMachine } from './useMachinesWithin';
import { type Filter, useMapAnswer, useWholeMap, type Viewport } from './useMapAnswer';
import { useMapColors } from './useMapColors';

type MapSelection = { machine: MapPoint | ListedMachine; byKeyboard: boolean } | { cluster: Cluster };

interface Props {
  filter: Filter;
  /** Number of matching machines, with or without a position. */
  matchCount?: number;
}

/** The matching machines on a map, with those in view listed beside it. */
export function MachineMap({ filter, matchCount }: Props) {
  const translate = useTranslate();
  const client = useQueryClient();
  const colors = useMapColors();
  const map = useRef<LeafletMap>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState<Viewport>();
  const [selection, setSelection] = useState<MapSelection>();
  const [pointedId, setPointed] = useState<number>();
  const { data: answer, isError, isPending } = useMapAnswer({ filter, viewport });
  const { data: whole } = useWholeMap(filter);
  const all = whole && boundsOf(whole);
  const unplaced = whole && matchCount !== undefined ? Math.max(matchCount - whole.total, 0) : 0;

  const showAll = useCallback((bounds: Bounds | undefined) => {
    if (bounds) map.current?.fitBounds(leaflet(bounds), { padding: [40, 40], maxZoom: 15, animate: !isStill() });
  }, []);

  const filterQuery = printListQuery({ filter });
  const fitted = useRef<string>(undefined);
  useEffect(() => {
    if (!whole || !viewport || fitted.current === filterQuery) return;
    fitted.current = filterQuery;
    showAll(boundsOf(whole));
  }, [whole, viewport, filterQuery, showAll]);

  const open = (machine: ListedMachine) => {
    map.current?.setView([machine.latitude, machine.longitude], Math.max(map.current.getZoom(), 14), {
      animate: !isStill(),
    });
    setSelection({ machine, byKeyboard: true });
    // On phones the list is below the map.
    frame.current?.scrollIntoView({ block: 'nearest' });
  };
  const close = useCallback(
    (closed: MapSelection) => setSelection((current) => (current === closed ? undefined : current)),
    [],
  );

  return (
    <div className="sl-mapview">
      <div ref={frame} className="sl-mapview__map">
        <BaseMap ref={map} label={translate('map.machines')} colors={colors}>
          <Watch onChange={setViewport} />
          <MachineMarks
            answer={answer}
            colors={colors}
            liftedId={pointedId ?? (selection && 'machine' in selection ? selection.machine.id : undefined)}
            onMachine={(machine) => setSelection({ machine, byKeyboard: false })}
            onCluster={(cluster) => setSelection({ cluster })}
          />
          {selection && 'machine' in selection && (
            <MachinePopup
              key={selection.machine.id}
              machine={placed(selection.machine, answer?.points)}
              focused={selection.byKeyboard}
              onClose={() => close(selection)}
            />
          )}
          {selection && 'cluster' in selection && (
            <ClusterPopup
              key={`${selection.cluster.latitude} ${selection.cluster.longitude}`}
              cluster={selection.cluster}
              filter={filter}
              onZoom={() => {
                setSelection(undefined);
                showAll(selection.cluster.bbox);
              }}
              onClose={() => close(selection)}
            />
          )}
        </BaseMap>
        <button type="button" className="sl-button sl-mapview__fit" onClick={() => showAll(all)} disabled={!all}>
          {translate('map.fit')}
        </button>
        {isPending && <LoadingNotice what="data" />}
        {(isError || answer?.total === 0) && (
          <p className="sl-mapview__note" role="status">
            {translate(isError ? 'map.failed' : all ? 'map.none_here' : 'map.none')}
            {isError && (
              <button
                type="button"
                className="sl-text-button"
                onClick={() => client.invalidateQueries({ queryKey: ['machines'] })}
              >
                {translate('list.retry')}
              </button>
            )}
          </p>
        )}
      </div>
      <MachineList filter={filter} bounds={viewport?.bounds} unplaced={unplaced} onPoint={setPointed} onOpen={open} />
    </div>
  );
}

function Watch({ onChange }: { onChange: (viewport: Viewport) => void }) {
  const map = useMapEvents({ moveend: () => onChange(viewportOf(map)) });
  useEffect(() => onChange(viewportOf(map)), [map, onChange]);
  return null;
}

/** Current position of the machine, if the map draws it. */
const placed = (machine: MapPoint | ListedMachine, points: readonly MapPoint[] | undefined) =>
  points?.find(({ id }) => id === machine.id) ?? machine;

const leaflet = ([west, south, east, north]: Bounds): [[number, number], [number, number]] => [
  [south, west],
  [north, east],
];

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
