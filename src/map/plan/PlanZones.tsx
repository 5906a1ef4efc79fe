import { useState } from 'react';
import { Polygon, useMapEvents } from 'react-leaflet';
import { MarkLabel } from '../MarkLabel';
import { areaOf, type PlanZone, toLatLng } from './planPlaces';
import { zoneStyle } from './ZonePatterns';

/** Narrower zones have no room for a name. */
const minLabelPixels = 40;

/** Zones with their names, by kind. */
export function PlanZones({ zones }: { zones: readonly PlanZone[] }) {
  const [scale, setScale] = useState<number>();
  const map = useMapEvents({ zoomend: () => setScale(map.getZoomScale(map.getZoom(), 0)) });
  const pixels = scale ?? map.getZoomScale(map.getZoom(), 0);
  return zones.map((zone) => (
    <Polygon
      key={`${zone.id} ${zone.kind}`}
      positions={zone.polygon.map(toLatLng)}
      pathOptions={zoneStyle(zone.kind)}
      interactive={false}
    >
      {areaOf(undefined, [zone]).width * pixels >= minLabelPixels && (
        <MarkLabel text={zone.name} permanent pane="names" direction="center" className="sl-plan__name" />
      )}
    </Polygon>
  ));
}
