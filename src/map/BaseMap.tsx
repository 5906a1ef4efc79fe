import 'leaflet/dist/leaflet.css';
import './map.css';
import './mapview.css';
import type { LatLngBoundsExpression, LatLngExpression, Map as LeafletMap } from 'leaflet';
import type { ReactNode, Ref } from 'react';
import { useTranslate } from 'react-admin';
import { MapContainer, ScaleControl, ZoomControl } from 'react-leaflet';
import { LandLayer } from './LandLayer';
import { Sites } from './Sites';
import { Tiles } from './Tiles';
import type { MapColors } from './useMapColors';

interface Props {
  /** Description for users who cannot see the map. */
  label: string;
  colors: MapColors;
  center?: LatLngExpression;
  zoom?: number;
  bounds?: LatLngBoundsExpression;
  /** Cannot be moved, and shows neither buttons nor sites. */
  isStill?: boolean;
  children?: ReactNode;
  ref?: Ref<LeafletMap>;
}

/** A map with land, tiles if configured, sites, zoom buttons labelled in the user's language, and a scale. */
export function BaseMap({ label, colors, center, zoom, bounds, isStill = false, children, ref }: Props) {
  const translate = useTranslate();
  return (
    <section className="sl-map" aria-label={label}>
      <MapContainer
        ref={ref}
        className="sl-map__canvas"
        center={bounds ? undefined : (center ?? [50, 10])}
        zoom={zoom ?? 4}
        bounds={bounds}
        boundsOptions={{ padding: [16, 16], maxZoom: 19 }}
        minZoom={2}
        maxZoom={19}
        maxBounds={[
          [-85, -200],
          [85, 200],
        ]}
        maxBoundsViscosity={0.8}
        preferCanvas
        zoomControl={false}
        attributionControl={false}
        zoomSnap={isStill || bounds ? 0.25 : 1}
        dragging={!isStill}
        keyboard={!isStill}
        scrollWheelZoom={!isStill}
        doubleClickZoom={!isStill}
        boxZoom={!isStill}
        touchZoom={!isStill}
      >
        <LandLayer colors={colors} />
        <Tiles />
        {!isStill && <Sites colors={colors} />}
        {/* The key remounts the control when the language changes, because Leaflet never updates its titles. */}
        {!isStill && (
          <ZoomControl
            key={translate('map.zoom_in')}
            position="topright"
            zoomInTitle={translate('map.zoom_in')}
            zoomOutTitle={translate('map.zoom_out')}
          />
        )}
        <ScaleControl imperial={false} />
        {children}
      </MapContainer>
    </section>
  );
}
