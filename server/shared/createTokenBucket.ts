/**
 * Rate limit: allows `burst` calls at once, refilled at `perSecond`. The returned function counts a call and returns
 * whether it is allowed.
 */
export function createTokenBucket(
  { perSecond, burst }: { perSecond: number; burst: number },
  clock: () => number = () => performance.now(),
): () => boolean {
  let tokens = burst;
  let refilledAt = clock();
  return () => {
    const now = clock();
    tokens = Math.min(burst, tokens + ((now - refilledAt) / 1000) * perSecond);
    refilledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
