/** Rate limit: allows `atOnce` calls in a burst, refilled at `perSecond`. Returns whether another call is allowed. */
export function createTokenBucket(
  { perSecond, atOnce }: { perSecond: number; atOnce: number },
  clock: () => number = () => performance.now(),
): () => boolean {
  let left = atOnce;
  let since = clock();
  return () => {
    const now = clock();
    left = Math.min(atOnce, left + ((now - since) / 1000) * perSecond);
    since = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
