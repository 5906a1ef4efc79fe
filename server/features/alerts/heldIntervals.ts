/** Held intervals from various sources. Pure, in whole seconds since 1970. */

export interface HeldInterval {
  from: number;
  /** `null` while it lasts. */
  to: number | null;
}

/** Default hold time in seconds. */
export const defaultHoldTime = 0;
/** Seconds for which an error counts as present after its last report. */
export const errorHoldSeconds = 3600;

/** Merges adjacent and overlapping segments, which may be in any order, into intervals. */
export function mergeIntervals(segments: readonly HeldInterval[]): HeldInterval[] {
  const intervals: HeldInterval[] = [];
  for (const { from, to } of [...segments].sort((a, b) => a.from - b.from)) {
    const last = intervals.at(-1);
    if (last && (last.to === null || last.to >= from))
      last.to = last.to === null || to === null ? null : Math.max(last.to, to);
    else intervals.push({ from, to });
  }
  return intervals;
}

/** A moment at which the condition was observed. */
export interface Sample {
  at: number;
  holds: boolean;
}

/**
 * Builds intervals, each from the first sample that holds to the next that does not. Samples may be in any order, and
 * repeated; of two at one moment, the one that holds counts.
 */
export function intervalsFromSamples(samples: readonly Sample[]): HeldInterval[] {
  const intervals: HeldInterval[] = [];
  let current: HeldInterval | undefined;
  for (const { at, holds } of [...samples].sort((a, b) => a.at - b.at || Number(a.holds) - Number(b.holds))) {
    if (holds && !current) {
      // An interval that ended at this very moment goes on.
      const last = intervals.at(-1);
      current = last?.to === at ? (intervals.pop() as HeldInterval) : { from: at, to: null };
    } else if (!holds && current && at > current.from) {
      intervals.push({ from: current.from, to: at });
      current = undefined;
    }
  }
  return current ? [...intervals, { from: current.from, to: null }] : intervals;
}

/**
 * Builds intervals that last for a fixed duration from each event. An event within an interval extends it. The end of
 * an interval that has not ended by `now` is `null`.
 */
export function intervalsFromEvents(
  times: readonly number[],
  { duration = errorHoldSeconds, now }: { duration?: number; now: number },
): HeldInterval[] {
  return mergeIntervals(times.map((time) => ({ from: time, to: time + duration }))).map(({ from, to }) => ({
    from,
    to: to !== null && to > now ? null : to,
  }));
}
