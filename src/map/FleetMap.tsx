import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { BaseMap } from './BaseMap';
import { boundsOf } from './bounds';
import { MachineMarks } from './MachineMarks';
import { viewportOf } from './Sites';
import { useMapColors } from './useMapColors';
import { useMapContent, useWholeMap, type Viewport } from './useMapContent';

const noFilter: [] = [];
const ignoreClick = () => undefined;

/** Map of all machines of the user. It cannot be moved by hand and always fits their positions. */
export const FleetMap = () => {
  const translate = useTranslate();
  const colors = useMapColors();
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [viewport, setViewport] = useState<Viewport>();
  const { data: fleetMap } = useWholeMap(noFilter);
  const { data: result } = useMapContent({ filter: noFilter, viewport });
  const [west, south, east, north] = (fleetMap && boundsOf(fleetMap)) ?? [];
  useEffect(() => {
    if (!map || west === undefined || south === undefined || east === undefined || north === undefined) return;
    const bounds: [[number, number], [number, number]] = [
      [south, west],
      [north, east],
    ];
    map.fitBounds(bounds, { padding: [60, 60], maxZoom: 15, animate: false });
    setViewport(viewportOf(map));
  }, [map, west, south, east, north]);
  return (
    <BaseMap ref={setMap} label={translate('map.machines')} colors={colors} isStill>
      <MachineMarks
        result={result}
        colors={colors}
        highlightedId={undefined}
        onMachine={ignoreClick}
        onCluster={ignoreClick}
      />
    </BaseMap>
  );
};
