import { type Coords, GridLayer } from 'leaflet';
import { useEffect } from 'react';
import { useMap } from 'react-leaflet';

/** Candidate distances between grid lines, in metres; the first of at least `minPixels` is used. */
const steps = [0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000, 5000];
const minPixels = 24;
const tilePixels = 256;

/** A grid in metres beneath a floor without a plan. */
export function PlanGrid({ color }: { color: string }) {
  const map = useMap();
  useEffect(() => {
    const grid = new DrawnGrid(color).addTo(map);
    return () => void grid.remove();
  }, [map, color]);
  return null;
}

class DrawnGrid extends GridLayer {
  constructor(private readonly color: string) {
    super({ tileSize: tilePixels, minZoom: -20, maxZoom: 20 });
  }

  protected override createTile(coords: Coords): HTMLElement {
    return drawTile(coords, this.color);
  }
}

function drawTile({ x, y, z }: Coords, color: string): HTMLCanvasElement {
  const tile = document.createElement('canvas');
  const density = devicePixelRatio || 1;
  tile.width = tilePixels * density;
  tile.height = tilePixels * density;
  const context = tile.getContext('2d');
  if (!context) return tile;
  context.scale(density, density);
  context.strokeStyle = color;
  context.lineWidth = 1;
  const step = gridStep(2 ** z) * 2 ** z;
  for (const pixel of linesIn(x, step)) drawLine(context, [pixel, 0, pixel, tilePixels]);
  for (const pixel of linesIn(y, step)) drawLine(context, [0, pixel, tilePixels, pixel]);
  return tile;
}

/** Metres between two grid lines. `scale`: pixels per metre. */
const gridStep = (scale: number): number => steps.find((step) => step * scale >= minPixels) ?? 10_000;

/** Positions of the lines within a tile, at half pixels for sharp lines. */
function linesIn(tile: number, step: number): number[] {
  const from = tile * tilePixels;
  const lines: number[] = [];
  for (let pixel = Math.ceil(from / step) * step; pixel < from + tilePixels; pixel += step)
    lines.push(Math.floor(pixel - from) + 0.5);
  return lines;
}

function drawLine(context: CanvasRenderingContext2D, [fromX, fromY, toX, toY]: [number, number, number, number]): void {
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}
