/**
 * Derives runs of a machine from its timeline, for times without reported runs.
 *
 * A run is cleaning at one location with pauses shorter than a limit; its time is the sum of its cleaning. Cleaning in
 * progress belongs to no run yet. Pure, in whole seconds: the same timeline gives the same runs, in any order and with
 * any duplicates.
 */
import type { Segment } from '../timeline/timeline';

export type RunSegment = Pick<Segment, 'from' | 'to' | 'state'>;

/** Stay of the machine at a location, in seconds since 1970; `to` is null for the present one. */
export interface LocationStay {
  location: number;
  from: number;
  to: number | null;
}

export interface RunPause {
  /** Seconds since 1970. */
  from: number;
  to: number;
  /** States that the machine was in, in order. */
  states: readonly string[];
}

export interface DerivedRun {
  /** Seconds since 1970. */
  from: number;
  to: number;
  /** Seconds of cleaning. */
  seconds: number;
  location: number | null;
  pauses: readonly RunPause[];
}

/** Seconds that a pause may last within one run, unless the machine type says otherwise. */
export const defaultPauseLimit = 15 * 60;

export interface RunContext {
  stays: readonly LocationStay[];
  /** Pauses of at least this many seconds end a run. */
  pauseLimit: number;
}

export function deriveRuns(segments: readonly RunSegment[], { stays, pauseLimit }: RunContext): DerivedRun[] {
  const stretches = completedCleaning(segments).flatMap((stretch) => cutAtMoves(stretch, stays));
  const groups: [Stretch, ...Stretch[]][] = [];
  for (const stretch of stretches) {
    const last = groups.at(-1)?.at(-1);
    const isSameRun = last && last.location === stretch.location && stretch.from - last.to < pauseLimit;
    if (isSameRun) groups.at(-1)?.push(stretch);
    else groups.push([stretch]);
  }
  return groups.map((group) => ({
    from: group[0].from,
    to: (group.at(-1) as Stretch).to,
    seconds: group.reduce((sum, { from, to }) => sum + to - from, 0),
    location: group[0].location,
    pauses: group.slice(1).flatMap(({ from }, index) => pausesBetween((group[index] as Stretch).to, from, segments)),
  }));
}

interface Stretch {
  from: number;
  to: number;
  location: number | null;
}

/** Completed cleaning, each second once, in order. */
function completedCleaning(segments: readonly RunSegment[]): { from: number; to: number }[] {
  const completedSpans = segments
    .flatMap(({ from, to, state }) => (state === 'Cleaning' && to !== null && to > from ? [{ from, to }] : []))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  let until = Number.NEGATIVE_INFINITY;
  return completedSpans.flatMap(({ from, to }) => {
    const start = Math.max(from, until);
    until = Math.max(until, to);
    return to > start ? [{ from: start, to }] : [];
  });
}

/** Cuts cleaning at moves to another location, since the machine may have been moved while it cleaned. */
function cutAtMoves({ from, to }: { from: number; to: number }, stays: readonly LocationStay[]): Stretch[] {
  const moveTimes = stays.flatMap((stay) => [stay.from, stay.to ?? from]).filter((time) => time > from && time < to);
  const edges = [...new Set([from, ...moveTimes, to])].sort((a, b) => a - b);
  return edges.slice(1).map((end, index) => {
    const start = edges[index] as number;
    const stay = stays.find(
      (candidate) => candidate.from <= start && (candidate.to ?? Number.POSITIVE_INFINITY) > start,
    );
    return { from: start, to: end, location: stay?.location ?? null };
  });
}

function pausesBetween(from: number, to: number, segments: readonly RunSegment[]): RunPause[] {
  if (to <= from) return [];
  const runSegments = segments
    .filter((segment) => segment.from < to && (segment.to ?? to) > from && segment.state !== 'Cleaning')
    .sort((a, b) => a.from - b.from);
  return [{ from, to, states: [...new Set(runSegments.map(({ state }) => state))] }];
}
