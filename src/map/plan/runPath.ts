/** The path of a run: legs, states over time, and positions at a moment. Pure. */
import type { StateName } from '../../../schema/entities/machines';

/** As `GET /runs/{id}/path` answers. */
export interface PathPosition {
  /** ISO 8601. */
  at: string;
  x: number;
  y: number;
  /** Radians, counter-clockwise from the x axis of the floor. */
  theta: number | null;
  speed: number | null;
  state: string;
  battery: number | null;
}

export interface RunPath {
  positions: readonly PathPosition[];
  /** Milliseconds since 1970 of each position. */
  times: readonly number[];
  /** A longer gap between positions breaks the path. */
  gap: number;
}

/** Longest gap between known positions, as used for coverage by the server. */
const minGap = 30_000;

/** Long paths arrive thinned: their gaps are measured against their usual step. */
export function readRunPath(positions: readonly PathPosition[]): RunPath {
  const times = positions.map(({ at }) => Date.parse(at));
  const steps = times.slice(1).map((time, index) => time - (times[index] as number));
  const medianStep = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return { positions, times, gap: Math.max(minGap, 3 * medianStep) };
}

/** Splits the path at its gaps. */
export function pathLegs({ positions, times, gap }: RunPath): PathPosition[][] {
  const legs: PathPosition[][] = [];
  positions.forEach((position, index) => {
    const leg = legs.at(-1);
    if (leg && (times[index] as number) - (times[index - 1] as number) <= gap) leg.push(position);
    else legs.push([position]);
  });
  return legs;
}

/** Position of the machine at a moment: interpolated between two positions, else the last known one. */
export function positionAtMoment({ positions, times, gap }: RunPath, instant: number): PathPosition | undefined {
  const index = Math.max(lastBefore(times, instant), 0);
  const [from, to] = [positions[index], positions[index + 1]];
  const [start, end] = [times[index] ?? 0, times[index + 1] ?? 0];
  if (!from || !to || instant <= start || end - start > gap) return from;
  const share = (instant - start) / (end - start);
  return { ...from, x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** Index of the last time at or before the moment; -1 without one. */
function lastBefore(times: readonly number[], instant: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface StateStretch {
  state: StateName;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

/** States along the path, each up to the next one; none during a gap. */
export function stateStretches({ positions, times, gap }: RunPath): StateStretch[] {
  const stretches: StateStretch[] = [];
  positions.forEach(({ state }, index) => {
    const from = times[index] as number;
    const next = times[index + 1] ?? from;
    const to = next - from > gap ? from : next;
    const last = stretches.at(-1);
    if (last && last.state === state && last.to === from) last.to = to;
    else stretches.push({ state: state as StateName, from, to });
  });
  return stretches.filter(({ from, to }) => to > from);
}
