/** Robots' own maps as plans: all maps of Valetudo's tests are parsed, drawn and outlined accurately to the cell. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isSelfCrossing, type Point, polygonArea } from '../../schema/dsl/polygons';
import { normalizeJson, shapeProblem } from '../../schema/dsl/shapes';
import { applyTransformation } from '../../schema/dsl/transformation';
import { outlineCells } from '../../server/features/floors/outlineCells';
import { readValetudoMap } from '../../server/features/floors/readValetudoMap';
import { seededRandom } from '../support/seededRandom';

interface ValetudoLayer {
  type: string;
  metaData: { area: number };
  pixels: number[];
  /** Present since version 2. */
  compressedPixels?: number[];
}
interface ValetudoMap {
  pixelSize: number;
  layers: ValetudoLayer[];
}
const samples = JSON.parse(
  gunzipSync(readFileSync(new URL('../samples/valetudo.json.gz', import.meta.url))).toString(),
) as Record<string, ValetudoMap>;

const sumOf = (polygons: readonly Point[][]) => polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0);

describe('the maps of Valetudo', () => {
  test('are 31 samples', () => {
    expect(Object.keys(samples)).toHaveLength(31);
  });

  test.each(Object.entries(samples))('%s is parsed, and its segments have the declared area', (_, sample) => {
    const map = readValetudoMap(JSON.stringify(sample));
    const segments = sample.layers.filter(({ type }) => type === 'segment');
    expect(map?.segments).toHaveLength(segments.length);
    expect(map?.width).toBeGreaterThan(3);
    expect(map?.svg).toMatch(/^<svg .*<\/svg>$/s);
    expect(normalizeJson('floor_maps', [map?.map])).toMatchObject([{ transformation: { mirrored: true } }]);
    for (const [index, { area, polygons }] of (map?.segments ?? []).entries()) {
      const expectedArea = (segments[index] as ValetudoLayer).metaData.area / 10_000;
      expect(area).toBeCloseTo(expectedArea, 9);
      expect(sumOf(polygons)).toBeCloseTo(expectedArea, 4);
      for (const polygon of polygons) expect(shapeProblem('polygon', polygon)).toBeUndefined();
    }
  });

  test('are placed on the floor where the robot reports its position', () => {
    const map = readValetudoMap(
      JSON.stringify({
        __class: 'ValetudoMap',
        metaData: { vendorMapId: 7 },
        size: { x: 1000, y: 1000 },
        pixelSize: 5,
        layers: [
          { type: 'segment', metaData: { segmentId: '3', name: 'Hall' }, pixels: [100, 50, 101, 50, 100, 51] },
          { type: 'wall', pixels: [], compressedPixels: [100, 49, 2] },
        ],
        entities: [{ type: 'charger_location', points: [500, 250] }],
      }),
    );
    // Two by three cells, with four cells around them.
    expect(map).toMatchObject({ width: 0.5, height: 0.55, map: { map_id: '7' } });
    expect(map?.segments).toMatchObject([{ name: 'Hall', area: 0.0075 }]);
    const [x, y] = applyTransformation(map?.map.transformation ?? {}, [500, 250]);
    expect([x, y]).toEqual([expect.closeTo(0.2, 9), expect.closeTo(0.3, 9)]);
    expect(map?.segments[0]?.polygons[0]).toContainEqual([expect.closeTo(0.2, 9), expect.closeTo(0.3, 9)]);
  });

  const tinyMap = { __class: 'ValetudoMap', pixelSize: 5, layers: [{ type: 'floor', pixels: [1, 1] }] };
  test.each<[string, unknown]>([
    ['invalid JSON', '{"__class":'],
    ['another class', { ...tinyMap, __class: 'Map' }],
    ['no cells', { ...tinyMap, layers: [{ type: 'floor', pixels: [] }] }],
    ['no layers', { ...tinyMap, layers: [] }],
    ['cells of size 0', { ...tinyMap, pixelSize: 0 }],
    ['fractional pixel coordinates', { ...tinyMap, layers: [{ type: 'floor', pixels: [1.5, 1] }] }],
    ['half a cell', { ...tinyMap, layers: [{ type: 'floor', pixels: [1, 1, 2] }] }],
    ['words', { ...tinyMap, layers: [{ type: 'floor', pixels: ['a', 1] }] }],
    ['five million cells', { ...tinyMap, layers: [{ type: 'floor', compressedPixels: [0, 0, 5_000_000] }] }],
    ['cells far apart', { ...tinyMap, layers: [{ type: 'floor', pixels: [0, 0, 900_000, 900_000] }] }],
    ['a layer that is null', { ...tinyMap, layers: [null] }],
  ])('with %s are rejected', (_, input) => {
    expect(readValetudoMap(typeof input === 'string' ? input : JSON.stringify(input))).toBeUndefined();
  });

  test('can consist of a single cell', () => {
    expect(readValetudoMap(JSON.stringify(tinyMap))).toMatchObject({
      width: 0.45,
      segments: [],
      map: { map_id: 'valetudo' },
    });
  });

  test('omit a segment without cells', () => {
    const layers = [...tinyMap.layers, { type: 'segment', metaData: { segmentId: '1' }, pixels: [] }];
    expect(readValetudoMap(JSON.stringify({ ...tinyMap, layers }))).toMatchObject({ width: 0.45, segments: [] });
  });

  test('are drawn accurately to the cell', async () => {
    for (const sample of Object.values(samples)) {
      const map = readValetudoMap(JSON.stringify({ ...sample, entities: [] }));
      const { data, info } = await sharp(Buffer.from(map?.svg ?? ''))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.width * sample.pixelSize).toBeCloseTo((map?.width ?? 0) * 100, 6);
      const cells = new Set(sample.layers.flatMap(pixelKeysOf));
      const isDrawn = Array.from(
        { length: info.width * info.height },
        (_, index) => data[index * info.channels] !== 255,
      );
      expect(isDrawn.filter(Boolean)).toHaveLength(cells.size);
    }
  });
});

/** Positions of the cells of a layer. */
function pixelKeysOf({ pixels, compressedPixels = [] }: ValetudoLayer): string[] {
  const places: string[] = [];
  for (let index = 0; index < pixels.length; index += 2) places.push(`${pixels[index]} ${pixels[index + 1]}`);
  for (let index = 0; index < compressedPixels.length; index += 3)
    for (let x = 0; x < (compressedPixels[index + 2] as number); x += 1)
      places.push(`${(compressedPixels[index] as number) + x} ${compressedPixels[index + 1]}`);
  return places;
}

describe('outlines', () => {
  const outline = (...rows: string[]) =>
    outlineCells({
      width: rows[0]?.length ?? 0,
      height: rows.length,
      cells: Uint8Array.from(rows.join(''), (cell) => Number(cell === '#')),
    });

  test.each<[string, string[], number, number]>([
    ['a square', ['##', '##'], 1, 4],
    ['a hole', ['###', '# #', '###'], 1, 12],
    ['an island in a hole', ['#####', '#   #', '# # #', '#   #', '#####'], 1, 20],
    ['areas side by side', ['# #', '# #'], 1, 12],
    ['cells that touch diagonally', ['# ', ' #'], 2, 4],
    ['nothing', ['  '], 0, 0],
  ])('of %s', (_, rows, polygons, corners) => {
    const outlines = outline(...rows);
    expect(outlines).toHaveLength(polygons);
    for (const polygon of outlines) expect(polygon).toHaveLength(corners);
  });

  test('of random cells have the cells’ area and never touch themselves', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const random = seededRandom(seed);
      const [width, height, share] = [1 + Math.floor(random() * 14), 1 + Math.floor(random() * 14), random()];
      const cells = Uint8Array.from({ length: width * height }, () => Number(random() < share));
      const polygons = outlineCells({ width, height, cells });
      expect(sumOf(polygons)).toBeCloseTo(
        cells.reduce((sum, cell) => sum + cell, 0),
        2,
      );
      for (const polygon of polygons) expect(isSelfCrossing(polygon)).toBe(false);
    }
  });
});
