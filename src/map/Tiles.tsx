import { useQuery } from '@tanstack/react-query';
import { AttributionControl, TileLayer } from 'react-leaflet';
import { api } from '../providers/http';

interface Config {
  /** Template such as `https://tiles.example.org/{z}/{x}/{y}.png`, or null: no tiles. */
  tile_url: string | null;
  /** Whom the tiles' licence wants named. */
  tile_attribution?: string | null;
}

/** The background map of the operator's tile server; silently nothing without one, or without internet. */
export function Tiles() {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => api<{ data: Config }>('config', { signal }).then(({ data: config }) => config),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  if (!data?.tile_url) return null;
  return (
    <>
      <TileLayer url={data.tile_url} maxZoom={19} />
      <AttributionControl position="bottomright" prefix={data.tile_attribution ? escaped(data.tile_attribution) : false} />
    </>
  );
}

/** Leaflet takes markup here. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
