import { Polygon } from 'react-leaflet';
import { MarkLabel } from '../MarkLabel';
import { type PlanZone, toLatLng } from './planPlaces';
import { useHasRoomForName } from './useHasRoomForName';
import { zoneStyle } from './ZonePatterns';

/** Zones in the style of their kind, with their names. */
export function PlanZones({ zones }: { zones: readonly PlanZone[] }) {
  const hasRoomForName = useHasRoomForName();
  return zones.map((zone) => (
    <Polygon
      key={`${zone.id} ${zone.kind}`}
      positions={zone.polygon.map(toLatLng)}
      pathOptions={zoneStyle(zone.kind)}
      interactive={false}
    >
      {hasRoomForName(zone) && (
        <MarkLabel text={zone.name} permanent pane="names" direction="center" className="sl-plan__name" />
      )}
    </Polygon>
  ));
}
