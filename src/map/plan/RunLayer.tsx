import { canvas } from 'leaflet';
import { memo, useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { CircleMarker, Polyline } from 'react-leaflet';
import { MarkLabel } from '../MarkLabel';
import { useMapColors } from '../useMapColors';
import { toLatLng } from './planPlaces';
import { type PathPosition, pathLegs, type RunPath } from './runPath';

/** The path of a run with its start and end, on its own canvas, so that long paths are drawn once per view. */
export const RunLayer = memo(function RunLayer({ path }: { path: RunPath }) {
  const translate = useTranslate();
  const colors = useMapColors();
  const renderer = useMemo(() => canvas({ padding: 0.5 }), []);
  const legs = useMemo(() => pathLegs(path).map((leg) => leg.map(latLngOf)), [path]);
  const [firstPosition, lastPosition] = [legs[0]?.[0], legs.at(-1)?.at(-1)];
  if (!firstPosition || !lastPosition) return null;
  return (
    <>
      <Polyline
        positions={legs}
        renderer={renderer}
        interactive={false}
        pathOptions={{ color: colors.text, weight: 1.5, opacity: 0.75 }}
      />
      <CircleMarker
        center={firstPosition}
        radius={6}
        pathOptions={{ color: colors.text, fillColor: colors.surface, fillOpacity: 1, weight: 3 }}
      >
        <MarkLabel text={translate('map.start')} permanent pane="names" direction="top" offset={[0, -6]} />
      </CircleMarker>
      <CircleMarker
        center={lastPosition}
        radius={6}
        pathOptions={{ color: colors.surface, fillColor: colors.text, fillOpacity: 1, weight: 2 }}
      >
        <MarkLabel text={translate('map.end')} permanent pane="names" direction="bottom" offset={[0, 6]} />
      </CircleMarker>
    </>
  );
});

const latLngOf = ({ x, y }: PathPosition) => toLatLng([x, y]);
