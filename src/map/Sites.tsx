import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Map as LeafletMap } from 'leaflet';
import { useState } from 'react';
import { CircleMarker, Pane, useMap, useMapEvents } from 'react-leaflet';
import { can } from '../providers/auth';
import { fetchRows } from '../providers/rows';
import { type Bounds, clipToWorld, hasPosition, rangesOf } from './bounds';
import { MarkLabel } from './MarkLabel';
import type { MapColors } from './useMapColors';

const nearZoom = 10;
const namedZoom = 13;

/** The visible sites, with names when zoomed in. They give orientation on a map without tiles. */
export function Sites({ colors }: { colors: MapColors }) {
  const map = useMap();
  const [view, setView] = useState(() => viewportOf(map));
  useMapEvents({ moveend: () => setView(viewportOf(map)) });
  const isNear = view.zoom >= nearZoom && can('locations', 'list');
  const filter = rangesOf(view.bounds);
  const { data } = useQuery({
    queryKey: ['locations', 'within', filter],
    queryFn: ({ signal }) =>
      fetchRows('locations', {
        filter,
        sort: [{ path: 'name', descending: false }],
        per_page: 60,
        fields: ['id', 'name', 'latitude', 'longitude'],
        signal,
      }),
    enabled: isNear,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  if (!isNear) return null;
  return (
    // Drawn below the machines, whichever loads first.
    <Pane name="sites" style={{ zIndex: 350 }}>
      {data?.data.filter(hasPosition).map(({ id, name, latitude, longitude }) => (
        <CircleMarker
          key={id}
          center={[latitude, longitude]}
          radius={5}
          interactive={false}
          pathOptions={{ color: colors.text, weight: 1, fillColor: colors.surface, fillOpacity: 1 }}
        >
          {view.zoom >= namedZoom && <SiteName name={name} side={sideOf(map, [latitude, longitude])} />}
        </CircleMarker>
      ))}
    </Pane>
  );
}

/** The name on the side of its point that faces the middle of the map, so that the edge does not cut off long names. */
const SiteName = ({ name, side }: { name: string; side: 'left' | 'right' }) => (
  <MarkLabel
    key={side}
    text={name}
    permanent
    pane="sites"
    direction={side}
    offset={[side === 'right' ? 8 : -8, 0]}
    className="sl-map__site"
  />
);

const sideOf = (map: LeafletMap, point: [number, number]) =>
  map.latLngToContainerPoint(point).x < map.getSize().x / 2 ? 'right' : 'left';

/** The current view of the map. */
export function viewportOf(map: LeafletMap): { bounds: Bounds; zoom: number } {
  const bounds = map.getBounds();
  return {
    bounds: clipToWorld([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]),
    zoom: map.getZoom(),
  };
}
