/** Land and borders from Natural Earth via `world-atlas` (public domain), loaded with the first map. */
import type { MultiLineString, MultiPolygon, Polygon } from 'geojson';
import { merge, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import fine from 'world-atlas/countries-50m.json?url';
import coarse from 'world-atlas/countries-110m.json?url';
import { repeatAcrossEdge } from './unwrapLine';

export interface LandShapes {
  land: MultiPolygon;
  borders: MultiLineString;
}

type Detail = 'coarse' | 'fine';
type World = Topology<{ countries: GeometryCollection }>;

const files: Record<Detail, string> = { coarse, fine };
const landByDetail = new Map<Detail, Promise<LandShapes>>();

/** Land and borders: `coarse` for the whole world, `fine` from zoom 4 on. Each loads once, again after a failure. */
export function loadLand(detail: Detail): Promise<LandShapes> {
  const cached = landByDetail.get(detail);
  if (cached) return cached;
  const request = load(files[detail]);
  landByDetail.set(detail, request);
  request.catch(() => landByDetail.delete(detail));
  return request;
}

async function load(url: string): Promise<LandShapes> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const world = (await response.json()) as World;
  const { countries } = world.objects;
  const land = merge(world, countries.geometries as Parameters<typeof merge>[1]);
  const borders = mesh(world, countries, (a, b) => a !== b);
  return {
    land: { type: 'MultiPolygon', coordinates: polygons(land).flatMap(repeatAcrossEdge) },
    borders: {
      type: 'MultiLineString',
      coordinates: borders.coordinates.flatMap((line) => repeatAcrossEdge([line]).flat()),
    },
  };
}

const polygons = (shape: Polygon | MultiPolygon) =>
  shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
