import { canvas, type GeoJSON, geoJSON } from 'leaflet';
import { useEffect, useState } from 'react';
import { useMap, useMapEvents } from 'react-leaflet';
import { type LandShapes, loadLand } from './loadLand';
import type { MapColors } from './useMapColors';

/**
 * Land and borders beneath the tiles, so that the map works without internet. Loads finer coast lines when the user
 * first zooms in.
 */
export function LandLayer({ colors }: { colors: MapColors }) {
  const map = useMap();
  const [isNear, setNear] = useState(map.getZoom() >= 4);
  const [land, setLand] = useState<LandShapes>();
  useMapEvents({ zoomend: () => setNear((near) => near || map.getZoom() >= 4) });

  useEffect(() => {
    let isUnmounted = false;
    loadLand(isNear ? 'fine' : 'coarse').then(
      (shapes) => !isUnmounted && setLand(shapes),
      (error: unknown) => console.error('Land and borders could not be loaded.', error),
    );
    return () => {
      isUnmounted = true;
    };
  }, [isNear]);

  useEffect(() => {
    if (!land) return;
    const pane = map.getPane('land') ?? map.createPane('land');
    pane.style.zIndex = '150';
    const renderer = canvas({ pane: 'land', padding: 0.5 });
    const style = { pane: 'land', renderer, interactive: false, stroke: true, color: colors.shore };
    const layers: GeoJSON[] = [
      geoJSON(land.land, { ...style, style: { ...style, weight: 1, fillColor: colors.land, fillOpacity: 1 } }),
      geoJSON(land.borders, { ...style, style: { ...style, weight: 1, fill: false } }),
    ];
    for (const layer of layers) layer.addTo(map);
    return () => {
      for (const layer of layers) layer.remove();
      renderer.remove();
    };
  }, [map, land, colors]);
  return null;
}
