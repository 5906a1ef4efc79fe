/** Checks of JSON objects of unknown origin. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an object has no other keys than `names`. */
export const hasOnlyKeys = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));
