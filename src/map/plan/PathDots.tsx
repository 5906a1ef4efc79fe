import { canvas } from 'leaflet';
import { memo, useMemo } from 'react';
import { CircleMarker, useMapEvents } from 'react-leaflet';
import type { Point } from '../../../schema/dsl/polygons';
import { useMapColors } from '../useMapColors';
import { toLatLng } from './planPlaces';

interface Props {
  /** Distinct points. */
  points: readonly Point[];
  /** Called with the clicked position, which need not be a dot. */
  onClick?: (point: Point) => void;
}

/** Positions of a path as dots, on their own canvas. */
export const PathDots = memo(function PathDots({ points, onClick }: Props) {
  const colors = useMapColors();
  const renderer = useMemo(() => canvas({ padding: 0.5 }), []);
  useMapEvents({ click: ({ latlng }) => onClick?.([latlng.lng, latlng.lat]) });
  return points.map((point) => (
    <CircleMarker
      key={point.join(' ')}
      center={toLatLng(point)}
      radius={2}
      renderer={renderer}
      interactive={false}
      pathOptions={{ stroke: false, fillColor: colors.Parked, fillOpacity: 0.8 }}
    />
  ));
});
