/** The ring around a cluster: one arc per state, proportional to its share. */
import { type StateName, stateNames } from '../../schema/entities/machines';

export interface Arc {
  state: StateName;
  /** Radians, clockwise from twelve o'clock. */
  from: number;
  to: number;
}

const fullTurn = 2 * Math.PI;

/**
 * Arcs in the fixed order of the states, so that the ring does not turn when counts change. Together they form a full
 * circle.
 */
export function ringOf(states: Partial<Record<StateName, number>>): Arc[] {
  const total = stateNames.reduce((sum, state) => sum + (states[state] ?? 0), 0);
  let offset = 0;
  return stateNames.flatMap((state) => {
    const count = states[state] ?? 0;
    if (count === 0) return [];
    const from = (offset / total) * fullTurn;
    offset += count;
    return [{ state, from, to: (offset / total) * fullTurn }];
  });
}

/** Outer radius of the ring in pixels; grows with the number of digits. */
export function ringRadius(count: number): number {
  return Math.min(14 + 4 * Math.floor(Math.log10(Math.max(count, 1))), 30);
}

/** Shortens a count for the ring: `1534` is `1.5k`. */
export function formatRingCount(count: number): string {
  if (count < 1000) return String(count);
  const thousands = count / 1000;
  return `${thousands < 9.95 ? thousands.toFixed(1).replace(/\.0$/, '') : Math.round(thousands)}k`;
}
