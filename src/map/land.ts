/** The world's land and borders, from Natural Earth by way of `world-atlas` (public domain), loaded when a map is first drawn. */
import type { Feature, FeatureCollection, Geometry, MultiLineString } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import fine from 'world-atlas/countries-50m.json?url';
import coarse from 'world-atlas/countries-110m.json?url';

export interface Land {
  land: Feature | FeatureCollection<Geometry>;
  borders: MultiLineString;
}

type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

type Detail = 'coarse' | 'fine';
const files: Record<Detail, string> = { coarse, fine };

const loaded = new Map<Detail, Promise<Land>>();

/** Coast lines and borders: `coarse` for the whole world, `fine` from about zoom 4 on. Loaded once. */
export function loadLand(detail: Detail): Promise<Land> {
  const known = loaded.get(detail);
  if (known) return known;
  const asked = load(files[detail]);
  loaded.set(detail, asked);
  asked.catch(() => loaded.delete(detail));
  return asked;
}

async function load(url: string): Promise<Land> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const world = (await response.json()) as World;
  return { land: feature(world, world.objects.land), borders: mesh(world, world.objects.countries, (a, b) => a !== b) };
}
