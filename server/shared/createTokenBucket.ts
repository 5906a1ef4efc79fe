/** Rate limit: allows `atOnce` calls in a burst, refilled at `perSecond`. Returns whether another call is allowed. */
export function createTokenBucket(
  { perSecond, atOnce }: { perSecond: number; atOnce: number },
  clock: () => number = () => performance.now(),
): () => boolean {
  let tokens = atOnce;
  let since = clock();
  return () => {
    const now = clock();
    tokens = Math.min(atOnce, tokens + ((now - since) / 1000) * perSecond);
    since = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
