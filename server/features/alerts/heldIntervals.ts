/** Held intervals from various sources. Pure, in whole seconds since 1970. */

export interface HeldInterval {
  from: number;
  /** `null` while it lasts. */
  to: number | null;
}

/** Default hold time in seconds. */
export const defaultHold = 0;
/** Seconds for which an error counts as present after its last report. */
export const errorHoldSeconds = 3600;

/** Merges adjacent segments into intervals. Any order. */
export function mergeIntervals(segments: readonly HeldInterval[]): HeldInterval[] {
  const result: HeldInterval[] = [];
  for (const { from, to } of [...segments].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && (last.to === null || last.to >= from))
      last.to = last.to === null || to === null ? null : Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** A moment at which the condition was observed. */
export interface Sample {
  at: number;
  holds: boolean;
}

/**
 * Intervals from the first sample that holds to the next that does not. Any order and duplicates; of two at one moment
 * the one that holds counts.
 */
export function fromSamples(samples: readonly Sample[]): HeldInterval[] {
  const result: HeldInterval[] = [];
  let open: HeldInterval | undefined;
  for (const { at, holds } of [...samples].sort((a, b) => a.at - b.at || Number(a.holds) - Number(b.holds))) {
    if (holds && !open) {
      // Both at the same moment: the condition was not interrupted.
      const last = result.at(-1);
      open = last?.to === at ? (result.pop() as HeldInterval) : { from: at, to: null };
    } else if (!holds && open && at > open.from) {
      result.push({ from: open.from, to: at });
      open = undefined;
    }
  }
  return open ? [...result, { from: open.from, to: null }] : result;
}

/** Events hold for a fixed time each; an event within that time extends it. */
export function fromEvents(
  times: readonly number[],
  { lasts = errorHoldSeconds, now }: { lasts?: number; now: number },
): HeldInterval[] {
  return mergeIntervals(times.map((time) => ({ from: time, to: time + lasts }))).map(({ from, to }) => ({
    from,
    to: to !== null && to > now ? null : to,
  }));
}
