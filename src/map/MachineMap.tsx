import { useQueryClient } from '@tanstack/react-query';
import type { Map as LeafletMap } from 'leaflet';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMapEvents } from 'react-leaflet';
import { printListQuery } from '../../schema/dsl/listQuery';
import type { ListPeek } from '../crud/shared/peek';
import { LoadingNotice } from '../ui/LoadingNotice';
import { BaseMap } from './BaseMap';
import { type Bounds, boundsOf } from './bounds';
import { ClusterPopup } from './ClusterPopup';
import { MachineList } from './MachineList';
import { MachineMarks } from './MachineMarks';
import { MachinePopup } from './MachinePopup';
import type { Cluster, MapPoint } from './mapContent';
import { viewportOf } from './Sites';
import type { ListedMachine } from './useMachinesWithin';
import { useMapColors } from './useMapColors';
import { type Filter, useMapContent, useWholeMap, type Viewport } from './useMapContent';

type MapSelection = { machine: MapPoint | ListedMachine; isFromList: boolean } | { cluster: Cluster };

interface Props {
  filter: Filter;
  /** Number of matching machines, with or without a position. */
  matchCount?: number;
  /** The record opened beside the map; replaces the popups of machines. */
  peek?: ListPeek | undefined;
}

/** The matching machines on a map, with a list of the visible ones beside it. */
export function MachineMap({ filter, matchCount, peek }: Props) {
  const translate = useTranslate();
  const client = useQueryClient();
  const colors = useMapColors();
  const map = useRef<LeafletMap>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState<Viewport>();
  /** Bounds before the user stepped from machine to machine: steps move the map, but the list keeps its machines. */
  const [walkBounds, setWalkBounds] = useState<Bounds>();
  const centredView = useRef<{ at: [number, number]; zoom: number }>(undefined);
  const [selection, setSelection] = useState<MapSelection>();
  const [pointedId, setPointedId] = useState<number>();
  const { data: result, isError, isPending } = useMapContent({ filter, viewport });
  const { data: fleetMap } = useWholeMap(filter);
  const allBounds = fleetMap && boundsOf(fleetMap);
  const withoutPosition = fleetMap && matchCount !== undefined ? Math.max(matchCount - fleetMap.total, 0) : 0;

  const showAll = useCallback((bounds: Bounds | undefined) => {
    // An animated zoom could override what the user chooses meanwhile.
    if (bounds) map.current?.fitBounds(toLeafletBounds(bounds), { padding: [40, 40], maxZoom: 15, animate: false });
  }, []);

  const filterQuery = printListQuery({ filter });
  const fittedQuery = useRef<string>(undefined);
  useEffect(() => {
    if (!fleetMap || !viewport || fittedQuery.current === filterQuery) return;
    fittedQuery.current = filterQuery;
    showAll(boundsOf(fleetMap));
  }, [fleetMap, viewport, filterQuery, showAll]);

  const onView = useCallback((view: Viewport) => {
    setViewport(view);
    if (!isCentredAt(map.current, centredView.current)) setWalkBounds(view.bounds);
  }, []);
  /** Opens a machine beside the map and centres the map on it, close enough to draw it separately. */
  const openPeek = (machine: MapPoint | ListedMachine) => {
    const { current } = map;
    if (!current || !peek || peek.id === machine.id) return;
    setSelection(undefined);
    peek.open(machine.id);
    const isDrawn = result?.points.some(({ id }) => id === machine.id);
    const zoom = isDrawn ? current.getZoom() : Math.max(current.getZoom(), 14);
    centredView.current = { at: [machine.latitude, machine.longitude], zoom };
    // An arrow key would interrupt an animation halfway.
    current.setView(centredView.current.at, zoom, { animate: false });
  };
  const openMark = (machine: MapPoint) => {
    if (!peek) return setSelection({ machine, isFromList: false });
    openPeek(machine);
    // Focuses the machine in the list, so that the arrow keys continue from there.
    const listItem = frame.current?.parentElement?.querySelector<HTMLElement>(`[data-id="${machine.id}"]`);
    listItem?.focus({ preventScroll: true });
  };

  const openMachine = (machine: ListedMachine) => {
    if (peek) return openPeek(machine);
    map.current?.setView([machine.latitude, machine.longitude], Math.max(map.current.getZoom(), 14), {
      animate: !isMotionReduced(),
    });
    setSelection({ machine, isFromList: true });
    // On phones the list is below the map, so the map may be out of view.
    frame.current?.scrollIntoView({ block: 'nearest' });
  };
  const close = useCallback(
    (closedSelection: MapSelection) => setSelection((current) => (current === closedSelection ? undefined : current)),
    [],
  );

  const peekedId = peek?.id === undefined ? undefined : Number(peek.id);

  return (
    <div className="sl-mapview">
      <div ref={frame} className="sl-mapview__map">
        <BaseMap ref={map} label={translate('map.machines')} colors={colors}>
          <ViewportReporter onChange={onView} />
          <MachineMarks
            result={result}
            colors={colors}
            highlightedId={
              pointedId ?? peekedId ?? (selection && 'machine' in selection ? selection.machine.id : undefined)
            }
            onMachine={openMark}
            onCluster={(cluster) => setSelection({ cluster })}
          />
          {selection && 'machine' in selection && (
            <MachinePopup
              key={selection.machine.id}
              machine={latestPoint(selection.machine, result?.points)}
              takesFocus={selection.isFromList}
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
        <button
          type="button"
          className="sl-button sl-mapview__fit"
          onClick={() => showAll(allBounds)}
          disabled={!allBounds}
        >
          {translate('map.fit')}
        </button>
        {isPending && <LoadingNotice what="data" />}
        {(isError || result?.total === 0) && (
          <p className="sl-mapview__note" role="status">
            {translate(isError ? 'map.failed' : allBounds ? 'map.none_here' : 'map.none')}
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
      <MachineList
        filter={filter}
        bounds={peekedId === undefined ? viewport?.bounds : walkBounds}
        withoutPosition={withoutPosition}
        openId={peekedId}
        onPoint={setPointedId}
        onOpen={openMachine}
        onClose={() => peek?.close()}
      />
    </div>
  );
}

/** Reports the view when it mounts and after each movement of the map. */
function ViewportReporter({ onChange }: { onChange: (viewport: Viewport) => void }) {
  const map = useMapEvents({ moveend: () => onChange(viewportOf(map)) });
  useEffect(() => onChange(viewportOf(map)), [map, onChange]);
  return null;
}

/** The machine with its current state and position if the map draws it, else `machine` unchanged. */
const latestPoint = (machine: MapPoint | ListedMachine, points: readonly MapPoint[] | undefined) =>
  points?.find(({ id }) => id === machine.id) ?? machine;

/** Whether the user has not moved the map since it was centred on `view`. The size of the map may have changed. */
const isCentredAt = (map: LeafletMap | null, view: { at: [number, number]; zoom: number } | undefined): boolean =>
  map !== null &&
  view !== undefined &&
  map.getZoom() === view.zoom &&
  map.latLngToContainerPoint(view.at).distanceTo(map.getSize().divideBy(2)) < 2;

const toLeafletBounds = ([west, south, east, north]: Bounds): [[number, number], [number, number]] => [
  [south, west],
  [north, east],
];

const isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
