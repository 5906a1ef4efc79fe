/** Detects keys that occur often within a short time. */

/** Maximum keys counted at a time; beyond that, all counts start again. */
const maxKeys = 10_000;

export interface BurstCounter {
  /** Counts a key. Returns true if this occurrence completes a burst, once per burst. */
  add(key: string): boolean;
}

/** A burst is `count` occurrences within `seconds` of the first. */
export function createBurstCounter(
  { count, seconds }: { count: number; seconds: number },
  now: () => number = Date.now,
): BurstCounter {
  const bursts = new Map<string, { startedAt: number; occurrences: number }>();
  return {
    add(key) {
      const currentTime = now();
      const current = bursts.get(key);
      if (!current || currentTime - current.startedAt >= seconds * 1000) {
        if (bursts.size >= maxKeys) bursts.clear();
        bursts.set(key, { startedAt: currentTime, occurrences: 1 });
        return count === 1;
      }
      current.occurrences += 1;
      return current.occurrences === count;
    },
  };
}
