/** Values that are built once and used again, by a key that says everything they depend on. */
const capacity = 1000;
const cache = new Map<string, unknown>();

/**
 * Returns what `build` returned for `key` before, or builds it; without a key it is built each time. A key must always
 * mean the same kind of value: callers prefix it. The least recently used value goes first.
 */
export function cachedBuild<T>(key: string | undefined, build: () => T): T {
  if (key === undefined) return build();
  const value = (cache.get(key) as T | undefined) ?? build();
  cache.delete(key);
  cache.set(key, value);
  if (cache.size > capacity) cache.delete(cache.keys().next().value as string);
  return value;
}
