/** Stretches of time in which a condition held, from whatever tells of it. Pure, in whole seconds since 1970. */

export interface HeldInterval {
  from: number;
  /** `null`: it still holds. */
  to: number | null;
}

/** Seconds that a condition may hold before anybody is told, where a rule says nothing. */
export const defaultHold = 0;
/** Seconds for which an error counts as present after it was reported last. */
export const errorLasts = 3600;

/** Segments that follow each other without a gap are one stretch. Any order. */
export function mergeIntervals(segments: readonly HeldInterval[]): HeldInterval[] {
  const out: HeldInterval[] = [];
  for (const { from, to } of [...segments].sort((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last && (last.to === null || last.to >= from))
      last.to = last.to === null || to === null ? null : Math.max(last.to, to);
    else out.push({ from, to });
  }
  return out;
}

/** A moment at which it was seen whether the condition held. */
export interface Sample {
  at: number;
  holds: boolean;
}

/**
 * From the first sample that says yes to the next that says no. Any order, any duplicates; of two at one moment the one
 * that says yes counts.
 */
export function fromSamples(samples: readonly Sample[]): HeldInterval[] {
  const out: HeldInterval[] = [];
  let open: HeldInterval | undefined;
  for (const { at, holds } of [...samples].sort((a, b) => a.at - b.at || Number(a.holds) - Number(b.holds))) {
    if (holds && !open) {
      // The condition was not gone when the same moment says both.
      const last = out.at(-1);
      open = last?.to === at ? (out.pop() as HeldInterval) : { from: at, to: null };
    } else if (!holds && open && at > open.from) {
      out.push({ from: open.from, to: at });
      open = undefined;
    }
  }
  return open ? [...out, { from: open.from, to: null }] : out;
}

/** Events hold for a while after each; those that come before it is over prolong it. */
export function fromEvents(
  times: readonly number[],
  { lasts = errorLasts, now }: { lasts?: number; now: number },
): HeldInterval[] {
  return mergeIntervals(times.map((at) => ({ from: at, to: at + lasts }))).map(({ from, to }) => ({
    from,
    to: to !== null && to > now ? null : to,
  }));
}
