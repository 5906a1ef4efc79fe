/** Caches values by a key that names everything they depend on. */

/**
 * Returns the cached value of `key`, or builds and caches it; without a key, builds every time. A key must always stand
 * for the same type of value, so callers prefix their keys.
 */
export type CachedBuild = <T>(key: string | undefined, build: () => T) => T;

const capacity = 1000;

/** Creates a cache that evicts the least recently used value. */
export function createBuildCache(): CachedBuild {
  const cache = new Map<string, unknown>();
  return <T>(key: string | undefined, build: () => T): T => {
    if (key === undefined) return build();
    const value = (cache.get(key) as T | undefined) ?? build();
    cache.delete(key);
    cache.set(key, value);
    if (cache.size > capacity) cache.delete(cache.keys().next().value as string);
    return value;
  };
}
