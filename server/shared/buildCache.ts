/** Values built once per process, by a key that names everything they depend on. */
const capacity = 1000;
const cache = new Map<string, unknown>();

/**
 * Returns the cached value of `key`, or builds and caches it; builds every time without a key. Evicts the least
 * recently used. A key must always mean the same type of value: callers prefix it.
 */
export function cachedBuild<T>(key: string | undefined, build: () => T): T {
  if (key === undefined) return build();
  const value = (cache.get(key) as T | undefined) ?? build();
  cache.delete(key);
  cache.set(key, value);
  if (cache.size > capacity) cache.delete(cache.keys().next().value as string);
  return value;
}
