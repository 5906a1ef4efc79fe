/** The path of a run: its legs, states over time, and the position at a given time. Pure. */
import type { StateName } from '../../../schema/entities/machines';

/** A position as in `GET /runs/{id}/path`. */
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
  /** Time of each position, in milliseconds since the Unix epoch. */
  times: readonly number[];
  /** Milliseconds; a longer gap between positions breaks the path. */
  gap: number;
}

/** Lower bound of `gap`, in milliseconds; the server's limit for coverage is the same. */
const minGap = 30_000;

/** Parses a path. The server thins long paths, so the gap limit grows with the usual step between positions. */
export function parseRunPath(positions: readonly PathPosition[]): RunPath {
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

/**
 * Position of the machine at `moment`, in milliseconds since the Unix epoch: interpolated between two positions, or the
 * last known one during a gap. Before the path it is the first position; `undefined` for an empty path.
 */
export function runPositionAt({ positions, times, gap }: RunPath, moment: number): PathPosition | undefined {
  const index = Math.max(lastIndexAt(times, moment), 0);
  const [from, to] = [positions[index], positions[index + 1]];
  const [start, end] = [times[index] ?? 0, times[index + 1] ?? 0];
  if (!from || !to || moment <= start || end - start > gap) return from;
  const share = (moment - start) / (end - start);
  return { ...from, x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** Index of the last time at or before `moment`; -1 if there is none. */
function lastIndexAt(times: readonly number[], moment: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface StateStretch {
  state: StateName;
  /** Milliseconds since the Unix epoch. */
  from: number;
  to: number;
}

/** States along the path, each up to the next one; gaps have no state. */
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
