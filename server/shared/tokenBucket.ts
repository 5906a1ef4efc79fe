/** Whether something may be done once more: `atOnce` times at first, then as often as `perSecond` makes up for. */
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
