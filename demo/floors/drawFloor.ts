/** Draws the plan of a demo floor as an architect would: walls, racks and rooms, with names. */
import { loadSharp } from '../../server/files/loadSharp';
import type { DemoFloor, Rectangle } from './floorShapes';
import { letteringPath, letteringWidth } from './lettering';

/** Pixels per metre. */
const resolution = 16;
const letterHeight = 1.1;

/** Draws a PNG that covers the whole floor. `width` and `height` are in pixels. */
export async function drawFloor(floor: DemoFloor): Promise<{ bytes: Buffer; width: number; height: number }> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(Buffer.from(floorSvg(floor)), { density: 72 })
    .png({ palette: true, colours: 16 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** Returns the plan as an SVG with `resolution` pixels per metre. */
export function floorSvg({ width, height, shapes, zones }: DemoFloor): string {
  const box = ([left, low, right, high]: Rectangle, style: string) =>
    `<rect x="${left}" y="${height - high}" width="${right - left}" height="${high - low}" ${style}/>`;
  const styles = {
    shelf: 'fill="#d5dbe0" stroke="#7b8794" stroke-width="0.12"',
    room: 'fill="#eef1f3" stroke="#4a5560" stroke-width="0.3"',
  };
  const labels = [
    ...shapes.flatMap(({ label, at }) => (label ? [{ label, at }] : [])),
    ...zones.flatMap(({ name, at, kind }) => (kind === 'no_go' ? [] : [{ label: name.toUpperCase(), at }])),
  ];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * resolution}" height="${height * resolution}" ` +
    `viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#ffffff"/>` +
    box([1, 1, width - 1, height - 1], 'fill="#fbfcfc" stroke="#2f3a44" stroke-width="0.6"') +
    shapes.map(({ kind, at }) => box(at, styles[kind])).join('') +
    `<path d="${labels.map(({ label, at }) => labelPath(label, at, height)).join('')}" fill="none" stroke="#56626d" ` +
    'stroke-width="0.14" stroke-linecap="round" stroke-linejoin="round"/></svg>'
  );
}

/** Returns the path of a label, centred and as large as possible, with one line per word if the rectangle is narrow. */
function labelPath(label: string, [left, low, right, high]: Rectangle, floorHeight: number): string {
  const lines = letteringWidth(label, letterHeight) > right - left - 0.6 ? label.split(' ') : [label];
  const widest = Math.max(...lines.map((line) => letteringWidth(line, letterHeight)));
  const size = letterHeight * Math.min(1, (right - left - 0.6) / widest, (high - low - 0.4) / (lines.length * 1.6));
  const [x, y] = [(left + right) / 2, floorHeight - (low + high) / 2];
  return lines
    .map((line, nth) => letteringPath(line, [x, y + (nth - (lines.length - 1) / 2) * size * 1.6], size))
    .join('');
}
