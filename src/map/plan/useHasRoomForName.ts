import { useState } from 'react';
import { useMapEvents } from 'react-leaflet';
import { areaOf, type PlanZone } from './planPlaces';

/** Pixels of an average letter at the font size of names on a plan, and of the space around a name. */
const [letterWidth, padding] = [6.5, 8];

/**
 * Returns a function: whether the name of a zone fits its width at the current zoom. Names that do not fit would
 * overlap.
 */
export function useHasRoomForName(): (zone: Pick<PlanZone, 'name' | 'polygon'>) => boolean {
  const [scale, setScale] = useState<number>();
  const map = useMapEvents({ zoomend: () => setScale(map.getZoomScale(map.getZoom(), 0)) });
  const pixels = scale ?? map.getZoomScale(map.getZoom(), 0);
  return (zone) => areaOf(undefined, [zone]).width * pixels >= zone.name.length * letterWidth + padding;
}
