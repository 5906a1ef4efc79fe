import 'leaflet/dist/leaflet.css';
import '../map.css';
import './plan.css';
import { CRS, type Map as LeafletMap } from 'leaflet';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { ImageOverlay, MapContainer, Pane, Rectangle, ScaleControl, useMap, ZoomControl } from 'react-leaflet';
import type { Point } from '../../../schema/dsl/polygons';
import { useMapColors } from '../useMapColors';
import { PlanGrid } from './PlanGrid';
import { PlanZones } from './PlanZones';
import { areaOf, type PlanArea, type PlanFloor, type PlanZone, toBounds } from './planPlaces';
import { usePlanImage } from './usePlanImage';
import { ZonePatterns } from './ZonePatterns';

interface Props {
  /** Description for users who cannot see the plan. */
  label: string;
  floor: PlanFloor;
  zones?: readonly PlanZone[];
  /** Coverage as returned by the API, drawn above the plan. */
  coverage?: { image: string | null; bounds: PlanArea | null };
  /** Points that define the initial view of a floor without size and zones. */
  points?: readonly Point[];
  /** Whether its units are metres; a plan without a scale and a robot's map have their own units. */
  isInMetres?: boolean;
  /** Leaflet layers in metres, converted by `toLatLng`. */
  children?: ReactNode;
}

/** A floor in metres: its plan or a grid, coverage, zones and further layers. Fills its `PlanBox`. */
export function PlanView({
  label,
  floor,
  zones = noItems,
  coverage,
  points = noItems,
  isInMetres = true,
  children,
}: Props) {
  const translate = useTranslate();
  const colors = useMapColors();
  const [isStill] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [map, setMap] = useState<LeafletMap | null>(null);
  const { url, isError, retry } = usePlanImage(floor);
  const hasSize = floor.width_m !== null && floor.height_m !== null;
  const area = useMemo(() => areaOf(floor, zones, points), [floor, zones, points]);
  return (
    <>
      {/* Legends use these patterns on paper, too, where the map is hidden. */}
      <ZonePatterns />
      <section className="sl-map sl-plan" aria-label={label}>
        <MapContainer
          ref={setMap}
          className="sl-map__canvas"
          crs={CRS.Simple}
          bounds={toBounds(area)}
          minZoom={-8}
          maxZoom={9}
          zoomSnap={0.25}
          zoomAnimation={!isStill}
          maxBoundsViscosity={0.8}
          zoomControl={false}
          attributionControl={false}
        >
          <PlanLimits area={area} />
          {!(url && hasSize) && <PlanGrid color={colors.border} />}
          <Pane name="floor" style={{ zIndex: 210 }}>
            {url && hasSize && <ImageOverlay key={url} url={url} bounds={toBounds(area)} className="sl-plan__image" />}
            {hasSize && <Rectangle bounds={toBounds(area)} interactive={false} pathOptions={edgeStyle} />}
          </Pane>
          <Pane name="coverage" style={{ zIndex: 250 }}>
            {coverage?.image && coverage.bounds && (
              <ImageOverlay key={coverage.image} url={coverage.image} bounds={toBounds(coverage.bounds)} />
            )}
          </Pane>
          {/* Names are drawn below marks. */}
          <Pane name="names" style={{ zIndex: 590 }} />
          <PlanZones zones={zones} />
          <ZoomControl
            key={translate('map.zoom_in')}
            position="topright"
            zoomInTitle={translate('map.zoom_in')}
            zoomOutTitle={translate('map.zoom_out')}
          />
          {isInMetres && <ScaleControl imperial={false} />}
          {children}
        </MapContainer>
        <button
          type="button"
          className="sl-button sl-button-small sl-plan__fit"
          onClick={() => map && showAll(map, area)}
        >
          {translate('map.fit')}
        </button>
        {floor.plan !== null && !hasSize && (
          <p className="sl-plan__note" role="status">
            {translate('plan.no_size')}
          </p>
        )}
        {isError && (
          <p className="sl-plan__note" role="alert">
            {translate('plan.failed')}
            <button type="button" className="sl-text-button" onClick={retry}>
              {translate('list.retry')}
            </button>
          </p>
        )}
      </section>
    </>
  );
}

const noItems: readonly never[] = [];
const edgeStyle = { color: 'var(--sl-control)', weight: 1, fill: false };

const showAll = (map: LeafletMap, area: PlanArea) => map.fitBounds(toBounds(area), { animate: false });

/** Shows the whole floor at first and when its area changes; limits panning and zooming out to its surroundings. */
function PlanLimits({ area: { x, y, width, height } }: { area: PlanArea }) {
  const map = useMap();
  useEffect(() => {
    const area = { x, y, width, height };
    const limit = () => {
      map.invalidateSize({ animate: false });
      map.setMinZoom(Math.min(map.getBoundsZoom(toBounds(area)) - 1, 8));
    };
    map.setMaxBounds(toBounds({ x: x - width, y: y - height, width: 3 * width, height: 3 * height }));
    limit();
    showAll(map, area);
    const observer = new ResizeObserver(limit);
    observer.observe(map.getContainer());
    return () => observer.disconnect();
  }, [map, x, y, width, height]);
  return null;
}
