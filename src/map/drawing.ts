/** Draws machines and clusters on the map's canvas. Every state has its own shape and glyph, not only a colour. */
import type { StateName } from '../../schema/entities/machines';
import { paths } from '../ui/Icon';
import { stateIcons } from '../ui/StateMark';
import { formatRingCount, ringOf } from './ring';
import type { MapColors } from './useMapColors';

export interface MarkerContext {
  context: CanvasRenderingContext2D;
  /** Pixels relative to the layer. */
  x: number;
  y: number;
  radius: number;
  colors: MapColors;
  isHighlighted: boolean;
}

const outlines: Record<StateName, (path: Path2D, radius: number) => void> = {
  Cleaning: (path, radius) => path.arc(0, 0, radius, 0, 2 * Math.PI),
  Charging: (path, radius) => path.roundRect(-radius, -radius * 0.8, 2 * radius, radius * 1.6, radius * 0.8),
  Parked: (path, radius) => path.roundRect(-radius * 0.9, -radius * 0.9, radius * 1.8, radius * 1.8, radius * 0.3),
  Online: (path, radius) => path.arc(0, 0, radius, 0, 2 * Math.PI),
  Offline: (path, radius) => path.arc(0, 0, radius, 0, 2 * Math.PI),
};

/**
 * Draws a machine: the shape of its state, filled with the state's colour, and a glyph. Offline machines are hollow.
 */
export function drawMachine(state: StateName, { context, x, y, radius, colors, isHighlighted }: MarkerContext): void {
  const outline = new Path2D();
  outlines[state](outline, radius);
  const isHollow = state === 'Offline';
  context.save();
  context.translate(x, y);
  context.lineWidth = isHighlighted ? 3 : 2;
  context.fillStyle = isHollow ? colors.surface : colors[state];
  context.strokeStyle = isHighlighted ? colors.text : isHollow ? colors.Offline : colors.surface;
  context.fill(outline);
  context.stroke(outline);
  const scale = (radius * 1.3) / 24;
  const glyph = new Path2D(paths[stateIcons[state]]);
  const ink = isHollow ? colors.Offline : colors.surface;
  context.scale(scale, scale);
  context.translate(-12, -12);
  context.lineWidth = 2.6;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = ink;
  context.fillStyle = ink;
  context.stroke(glyph);
  if (state === 'Online' || state === 'Charging') context.fill(glyph);
  context.restore();
}

/** Draws a cluster: the number of machines inside a ring that shows the share of each state. */
export function drawCluster(
  { count, states }: { count: number; states: Partial<Record<StateName, number>> },
  { context, x, y, radius, colors, isHighlighted }: MarkerContext,
): void {
  const thickness = 5;
  const twelveOClock = -Math.PI / 2;
  context.save();
  context.translate(x, y);
  context.fillStyle = colors.surface;
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fill();
  context.lineWidth = thickness;
  for (const { state, from, to } of ringOf(states)) {
    context.strokeStyle = colors[state];
    context.beginPath();
    context.arc(0, 0, radius - thickness / 2, twelveOClock + from, twelveOClock + to);
    context.stroke();
  }
  context.lineWidth = isHighlighted ? 2 : 1;
  context.strokeStyle = isHighlighted ? colors.text : colors.border;
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.stroke();
  context.fillStyle = colors.text;
  context.font = '600 12px "Inter Variable", Inter, system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(formatRingCount(count), 0, 0.5);
  context.restore();
}
