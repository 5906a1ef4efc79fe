import { AttributionControl, TileLayer } from 'react-leaflet';
import { useServerConfig } from '../providers/useServerConfig';

/** Tiles and attribution of the operator's tile server, if one is configured. */
export function Tiles() {
  const data = useServerConfig();
  if (!data?.tile_url) return null;
  return (
    <>
      <TileLayer url={data.tile_url} maxZoom={19} />
      <AttributionControl
        position="bottomright"
        prefix={data.tile_attribution ? escapeHtml(data.tile_attribution) : false}
      />
    </>
  );
}

/** Leaflet expects the attribution as markup. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
