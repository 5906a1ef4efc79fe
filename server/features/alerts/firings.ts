/** Firings of a rule, from its held intervals, for evaluation and preview. Pure; times are seconds since 1970. */
import { defaultHoldTime, type HeldInterval } from './heldIntervals';

/** A held interval that was longer than the hold time. */
export interface Firing {
  /** End of the hold time. */
  at: number;
  /** Start of the held interval. */
  since: number;
  /** End of the held interval; `null` while it lasts. */
  until: number | null;
}

/** Returns the firings of one machine. A condition that held for exactly the hold time does not fire. */
export function findFirings(
  heldIntervals: readonly HeldInterval[],
  { holdTime = defaultHoldTime, now }: { holdTime?: number; now: number },
): Firing[] {
  return heldIntervals
    .filter(({ from, to }) => from <= now && Math.min(to ?? now, now) - from > holdTime)
    .map(({ from, to }) => ({ at: from + holdTime, since: from, until: to }));
}

/** Seconds after the first firing of a group within which further ones join it. */
export const groupingSeconds = 300;

/** One alert: firings that belong together. */
export interface FiringGroup<F extends { at: number }> {
  at: number;
  firings: F[];
}

/**
 * Groups firings that have the same key and follow the first of their group within five minutes. Firings with the key
 * `undefined` form groups of one. Groups are in order of time; the order of the input does not matter.
 */
export function groupFirings<F extends { at: number }>(
  firings: readonly F[],
  keyOf: (firing: F) => string | number | undefined,
): FiringGroup<F>[] {
  const latestGroups = new Map<string | number, FiringGroup<F>>();
  const groups: FiringGroup<F>[] = [];
  for (const firing of [...firings].sort((a, b) => a.at - b.at)) {
    const key = keyOf(firing);
    const latestGroup = key === undefined ? undefined : latestGroups.get(key);
    if (latestGroup && isInSameGroup(latestGroup.at, firing.at)) {
      latestGroup.firings.push(firing);
      continue;
    }
    const group = { at: firing.at, firings: [firing] };
    groups.push(group);
    if (key !== undefined) latestGroups.set(key, group);
  }
  return groups;
}

/** Whether a firing at `time` belongs to a group that started at `groupStart`. */
export const isInSameGroup = (groupStart: number, time: number): boolean =>
  Math.abs(time - groupStart) <= groupingSeconds;
