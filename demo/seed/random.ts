/** Pseudo-random numbers, determined by a seed. */
export interface Random {
  /** Returns a number with 0 <= n < 1. */
  next(): number;
  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** Returns a random element. Throws for an empty list. */
  pick<T>(from: readonly T[]): T;
  /** Returns `true` with probability `share`. */
  chance(share: number): boolean;
  /** Returns a random index of `weights`, by weight. */
  weighted(weights: readonly number[]): number;
}

/** Creates a generator from an integer seed (mulberry32, public domain). */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (from) => {
      if (from.length === 0) throw new RangeError('Nothing to pick from.');
      return from[Math.floor(next() * from.length)] as (typeof from)[number];
    },
    chance: (share) => next() < share,
    weighted: (weights) => {
      let threshold = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => {
        threshold -= weight;
        return threshold < 0;
      });
      return index === -1 ? weights.length - 1 : index;
    },
  };
}
