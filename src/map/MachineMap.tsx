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
  /** The record beside the map, in place of popups of machines. */
  peek?: ListPeek | undefined;
}

/** The matching machines on a map, with those in view listed beside it. */
export function MachineMap({ filter, matchCount, peek }: Props) {
  const translate = useTranslate();
  const client = useQueryClient();
  const colors = useMapColors();
  const map = useRef<LeafletMap>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState<Viewport>();
  /** View at the start of a walk from machine to machine, which moves the map but not the list. */
  const [walked, setWalked] = useState<Bounds>();
  const centred = useRef<{ at: [number, number]; zoom: number }>(undefined);
  const [selection, setSelection] = useState<MapSelection>();
  const [pointedId, setPointed] = useState<number>();
  const { data: answer, isError, isPending } = useMapAnswer({ filter, viewport });
  const { data: whole } = useWholeMap(filter);
  const all = whole && boundsOf(whole);
  const unplaced = whole && matchCount !== undefined ? Math.max(matchCount - whole.total, 0) : 0;

  const showAll = useCallback((bounds: Bounds | undefined) => {
    // A zoom that is still animated would end at its own target, whatever was chosen meanwhile.
    if (bounds) map.current?.fitBounds(leaflet(bounds), { padding: [40, 40], maxZoom: 15, animate: false });
  }, []);

  const filterQuery = printListQuery({ filter });
  const fitted = useRef<string>(undefined);
  useEffect(() => {
    if (!whole || !viewport || fitted.current === filterQuery) return;
    fitted.current = filterQuery;
    showAll(boundsOf(whole));
  }, [whole, viewport, filterQuery, showAll]);

  const onView = useCallback((view: Viewport) => {
    setViewport(view);
    if (!isCentredAt(map.current, centred.current)) setWalked(view.bounds);
  }, []);
  /** Opens a machine beside the map, which shows it in its middle, close enough to stand alone. */
  const show = (machine: MapPoint | ListedMachine) => {
    const { current } = map;
    if (!current || !peek || peek.id === machine.id) return;
    setSelection(undefined);
    peek.open(machine.id);
    const isDrawn = answer?.points.some(({ id }) => id === machine.id);
    const zoom = isDrawn ? current.getZoom() : Math.max(current.getZoom(), 14);
    centred.current = { at: [machine.latitude, machine.longitude], zoom };
    // Movements that arrow keys interrupt would end anywhere.
    current.setView(centred.current.at, zoom, { animate: false });
  };
  const chooseMark = (machine: MapPoint) => {
    if (!peek) return setSelection({ machine, byKeyboard: false });
    show(machine);
    // From here the arrow keys go on.
    const listed = frame.current?.parentElement?.querySelector<HTMLElement>(`[data-id="${machine.id}"]`);
    listed?.focus({ preventScroll: true });
  };

  const open = (machine: ListedMachine) => {
    if (peek) return show(machine);
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

  const peekedId = peek?.id === undefined ? undefined : Number(peek.id);

  return (
    <div className="sl-mapview">
      <div ref={frame} className="sl-mapview__map">
        <BaseMap ref={map} label={translate('map.machines')} colors={colors}>
          <Watch onChange={onView} />
          <MachineMarks
            answer={answer}
            colors={colors}
            liftedId={pointedId ?? peekedId ?? (selection && 'machine' in selection ? selection.machine.id : undefined)}
            onMachine={chooseMark}
            onCluster={(cluster) => setSelection({ cluster })}
          />
          {selection && 'machine' in selection && (
            <MachinePopup
              key={selection.machine.id}
              machine={placeOf(selection.machine, answer?.points)}
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
      <MachineList
        filter={filter}
        bounds={peekedId === undefined ? viewport?.bounds : walked}
        unplaced={unplaced}
        openId={peekedId}
        onPoint={setPointed}
        onOpen={open}
        onClose={() => peek?.close()}
      />
    </div>
  );
}

function Watch({ onChange }: { onChange: (viewport: Viewport) => void }) {
  const map = useMapEvents({ moveend: () => onChange(viewportOf(map)) });
  useEffect(() => onChange(viewportOf(map)), [map, onChange]);
  return null;
}

/** Current position of the machine, if the map draws it. */
const placeOf = (machine: MapPoint | ListedMachine, points: readonly MapPoint[] | undefined) =>
  points?.find(({ id }) => id === machine.id) ?? machine;

/** Whether the map shows this place in its middle: nobody has moved it since, though its size may have changed. */
const isCentredAt = (map: LeafletMap | null, view: { at: [number, number]; zoom: number } | undefined): boolean =>
  map !== null &&
  view !== undefined &&
  map.getZoom() === view.zoom &&
  map.latLngToContainerPoint(view.at).distanceTo(map.getSize().divideBy(2)) < 2;

const leaflet = ([west, south, east, north]: Bounds): [[number, number], [number, number]] => [
  [south, west],
  [north, east],
];

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
