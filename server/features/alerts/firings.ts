/**
 * When a rule fires: from stretches in which its condition held. Pure, in whole seconds; the preview of a rule and the
 * watch over what happens now both go by these functions.
 */
import { defaultHold, type HeldInterval } from './heldIntervals';

export interface Firing {
  /** When the condition had held for longer than the hold time. */
  at: number;
  /** Since when it had held. */
  since: number;
  /** When it ended; `null`: it still holds. */
  until: number | null;
}

/** The firings of one machine: a condition that held exactly as long as it may does not fire. */
export function findFirings(
  stretches: readonly HeldInterval[],
  { hold = defaultHold, now }: { hold?: number; now: number },
): Firing[] {
  return stretches
    .filter(({ from, to }) => from <= now && Math.min(to ?? now, now) - from > hold)
    .map(({ from, to }) => ({ at: from + hold, since: from, until: to }));
}

/** Seconds within which machines of one place that fall silent are one alert. */
export const together = 300;

/** One alert: the firings of machines that belong together. */
export interface FiringGroup<F extends { at: number }> {
  at: number;
  firings: F[];
}

/**
 * Firings that share a key and follow the first one within five minutes are one group; `undefined` as a key stays
 * alone. The order in which they are given does not matter.
 */
export function groupFirings<F extends { at: number }>(
  firings: readonly F[],
  keyOf: (firing: F) => string | number | undefined,
): FiringGroup<F>[] {
  const latest = new Map<string | number, FiringGroup<F>>();
  const groups: FiringGroup<F>[] = [];
  for (const firing of [...firings].sort((a, b) => a.at - b.at)) {
    const key = keyOf(firing);
    const open = key === undefined ? undefined : latest.get(key);
    if (open && belongs(open.at, firing.at)) {
      open.firings.push(firing);
      continue;
    }
    const group = { at: firing.at, firings: [firing] };
    groups.push(group);
    if (key !== undefined) latest.set(key, group);
  }
  return groups;
}

/** Whether a machine that fires at `at` belongs to a group that began at `first`. */
export const belongs = (first: number, at: number): boolean => Math.abs(at - first) <= together;
