/**
 * Reads a robot's own map in the JSON format of Valetudo (github.com/Hypfer/Valetudo, `ValetudoMap`, versions 1 and 2),
 * which has centimetres and a `y` axis pointing down. Pure functions.
 */
import { isObject } from '../../../schema/dsl/isObject';
import type { Point } from '../../../schema/dsl/polygons';
import { shapeLimits } from '../../../schema/dsl/shapes';
import type { FloorMap } from '../../../schema/dsl/transformation';
import { outlineCells } from './outlineCells';

/** Maximum cells of the map, cells of its longer side, layers, and zones of its segments. */
export const robotMapLimits = { cells: 4_000_000, side: 10_000, layers: 300, zones: 300 } as const;

/** A robot's map as a plan of a floor. Points are in metres on the floor. */
export interface RobotPlan {
  /** Drawing of the map. */
  svg: string;
  /** In metres. */
  width: number;
  height: number;
  /** Links the robot's coordinates, in centimetres, to the plan. */
  map: FloorMap;
  segments: RobotPlanSegment[];
}

export interface RobotPlanSegment {
  name: string;
  /** More than one if the segment has separate parts, or too many corners for one zone. */
  polygons: Point[][];
  /** In square metres: the number of cells times their size. */
  area: number;
}

/** Empty margin around the map, in cells. */
const margin = 4;

/** Returns `undefined` for anything that is not such a map, and for maps beyond the limits. */
export function readValetudoMap(text: string): RobotPlan | undefined {
  const json = parse(text);
  if (!isObject(json) || json.__class !== 'ValetudoMap' || !Array.isArray(json.layers)) return undefined;
  const { pixelSize, layers: sentLayers, entities } = json;
  if (typeof pixelSize !== 'number' || !(pixelSize > 0 && pixelSize <= 1000)) return undefined;
  const layers =
    sentLayers.length > robotMapLimits.layers ? [] : sentLayers.flatMap((layer) => parseLayer(layer) ?? []);
  if (layers.length === 0 || layers.length < sentLayers.length) return undefined;
  const runs = layers.flatMap((layer) => layer.runs);
  const count = runs.reduce((sum, [, , length]) => sum + length, 0);
  if (count === 0 || count > robotMapLimits.cells) return undefined;
  const box = findBounds(runs);
  const [columns, rows] = [box.right - box.left + 2 * margin, box.bottom - box.top + 2 * margin];
  if (Math.max(columns, rows) > robotMapLimits.side || columns * rows > 16_000_000) return undefined;
  const cellSide = pixelSize / 100;
  const [left, bottom] = [box.left - margin, box.bottom + margin];
  const toFloor = ([x, y]: Point): Point => [round((x - left) * cellSide), round((bottom - y) * cellSide)];
  const segments = layers
    .filter(({ type, runs: segmentRuns }) => type === 'segment' && segmentRuns.length > 0)
    .map(({ name, runs: segmentRuns }) => {
      const grid = buildGrid(segmentRuns);
      return {
        name,
        polygons: outlineZones(grid).map((corners) => corners.map(toFloor)),
        area: round(grid.count * cellSide ** 2),
      };
    });
  if (segments.flatMap(({ polygons }) => polygons).length > robotMapLimits.zones) return undefined;
  return {
    svg: drawMap({ layers, entities, columns, rows, left, top: box.top - margin, pixelSize }),
    width: round(columns * cellSide),
    height: round(rows * cellSide),
    map: {
      map_id: readMapId(json),
      transformation: { scale: 0.01, mirrored: true, x: round(-left * cellSide), y: round(bottom * cellSide) },
    },
    segments,
  };
}

const round = (metres: number) => Math.round(metres * 1e10) / 1e10;

type Json = Record<string, unknown>;
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the robot's id of the map, which matters if it stores several. */
function readMapId({ metaData }: Json): string {
  const id = isObject(metaData) ? metaData.vendorMapId : undefined;
  return typeof id === 'number' || (typeof id === 'string' && id !== '')
    ? String(id).slice(0, shapeLimits.words)
    : 'valetudo';
}

/** Consecutive cells of a row, from x on. */
type CellRun = readonly [x: number, y: number, length: number];

interface MapLayer {
  type: string;
  name: string;
  runs: CellRun[];
}

function parseLayer(layer: unknown): MapLayer | undefined {
  if (!isObject(layer) || typeof layer.type !== 'string') return undefined;
  const metaData = isObject(layer.metaData) ? layer.metaData : {};
  const runs = [...parseRuns(layer.compressedPixels, 3), ...parseRuns(layer.pixels, 2)];
  const isWhole = (number: number) => Number.isInteger(number) && Math.abs(number) <= 1_000_000;
  if (!runs.every((run) => run.every(isWhole) && run[2] > 0)) return undefined;
  const ownName = metaData.name;
  const name =
    typeof ownName === 'string' && ownName.trim() !== '' ? ownName.trim() : `Segment ${metaData.segmentId ?? ''}`;
  return { type: layer.type, name: name.slice(0, 100).trim(), runs };
}

/** Parses runs from a list of numbers: three per run, or two per single cell. */
function parseRuns(numbers: unknown, size: 2 | 3): CellRun[] {
  if (!Array.isArray(numbers)) return [];
  return Array.from({ length: Math.ceil(numbers.length / size) }, (_, index) => {
    const [x, y, length = 1] = numbers.slice(index * size, index * size + size);
    return [x, y, length];
  });
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const findBounds = (runs: readonly CellRun[]): Box =>
  runs.reduce(
    (box, [x, y, length]) => ({
      left: Math.min(box.left, x),
      top: Math.min(box.top, y),
      right: Math.max(box.right, x + length),
      bottom: Math.max(box.bottom, y + 1),
    }),
    { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity },
  );

interface Cells {
  box: Box;
  cells: Uint8Array;
  count: number;
}

function buildGrid(runs: readonly CellRun[], box = findBounds(runs)): Cells {
  const width = box.right - box.left;
  const cells = new Uint8Array(width * (box.bottom - box.top));
  for (const [x, y, length] of runs) {
    const start = (y - box.top) * width + x - box.left;
    cells.fill(1, start, start + length);
  }
  return { box, cells, count: cells.reduce((sum, cell) => sum + cell, 0) };
}

/** Returns outlines in cells of the map. Splits an area in two if it has more corners than a zone may have. */
function outlineZones({ box, cells }: Cells): Point[][] {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const outline = outlineCells({ width, height, cells });
  if (outline.every((corners) => corners.length <= shapeLimits.corners))
    return outline.map((corners) => corners.map(([x, y]): Point => [x + box.left, y + box.top]));
  const isWide = width > height;
  const middle = isWide ? box.left + (width >> 1) : box.top + (height >> 1);
  const halves = [
    { ...box, ...(isWide ? { right: middle } : { bottom: middle }) },
    { ...box, ...(isWide ? { left: middle } : { top: middle }) },
  ];
  return halves.flatMap((half) => outlineZones(clipCells({ box, cells }, half)));
}

function clipCells({ box, cells }: Pick<Cells, 'box' | 'cells'>, clip: Box): Cells {
  const width = box.right - box.left;
  const rows = Array.from({ length: clip.bottom - clip.top }, (_, row) => {
    const start = (clip.top - box.top + row) * width;
    return cells.subarray(start + clip.left - box.left, start + clip.right - box.left);
  });
  const clippedCells = new Uint8Array(rows.length * (clip.right - clip.left));
  for (const [row, values] of rows.entries()) clippedCells.set(values, row * values.length);
  return { box: clip, cells: clippedCells, count: 0 };
}

const segmentColours = ['#cfe3f5', '#d6ecd2', '#f6e3c5', '#e6d9f2', '#f5d5d8', '#d3ecec', '#eee9c4', '#dfe0ea'];

interface Drawing {
  layers: readonly MapLayer[];
  entities: unknown;
  columns: number;
  rows: number;
  left: number;
  top: number;
  /** In centimetres. */
  pixelSize: number;
}

/** Draws floor, segments and walls, then restrictions and the dock above them. */
function drawMap({ layers, entities, columns, rows, left, top, pixelSize }: Drawing): string {
  const path = (runs: readonly CellRun[]) =>
    runs.map(([x, y, length]) => `M${x - left} ${y - top}h${length}v1h-${length}z`).join('');
  const order = ['floor', 'segment', 'wall'];
  let segments = 0;
  const areas = [...layers]
    .sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
    .map(({ type, runs }) => {
      if (type === 'segment') segments += 1;
      const colour = type === 'segment' ? segmentColours[segments % segmentColours.length] : '#eef1f4';
      return `<path fill="${type === 'wall' ? '#475569' : colour}" d="${path(runs)}"/>`;
    });
  const marks = (Array.isArray(entities) ? entities : []).slice(0, 1000).map((entity) => {
    const points = isObject(entity) && Array.isArray(entity.points) ? entity.points : [];
    const coordinates = points.map(
      (coordinate, index) => Number(coordinate) / pixelSize - (index % 2 === 0 ? left : top),
    );
    if (coordinates.length > 1000 || !coordinates.every(Number.isFinite)) return '';
    const { type } = entity as Json;
    if (type === 'charger_location')
      return `<circle cx="${coordinates[0]}" cy="${coordinates[1]}" r="3" fill="#0b7a75" stroke="#fff"/>`;
    if (type === 'no_go_area' || type === 'no_mop_area')
      return `<polygon points="${coordinates.join(' ')}" fill="#dc2626" fill-opacity="0.2" stroke="#dc2626"/>`;
    return type === 'virtual_wall' ? `<polyline points="${coordinates.join(' ')}" stroke="#dc2626" fill="none"/>` : '';
  });
  const size = `width="${columns}" height="${rows}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns} ${rows}" ${size}><rect ${size} fill="#fff"/>
<g shape-rendering="crispEdges">${areas.join('')}</g>${marks.join('')}</svg>`;
}
