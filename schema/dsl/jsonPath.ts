/**
 * JSONPath (RFC 9535) without filters, scripts and descendant segments, such as `$.payload.reports[0]['task name']` or
 * `items[*].area`. Pure functions.
 */

/** A key, an index, or all elements of an array. */
export type PathStep = string | number | { all: true };

export interface JsonPath {
  /**
   * Whether the path starts at the root, with `$`. Otherwise it is relative to the current item, with or without `@`.
   */
  isAbsolute: boolean;
  steps: readonly PathStep[];
}

export const pathLimits = { characters: 250, steps: 32, values: 10_000 } as const;

const stepPattern = /\.?([\p{L}\p{N}_@:-]+)|\[(\d{1,6})\]|\[(\*)\]|\['([^']+)'\]|\["([^"]+)"\]/uy;

/** Parses a path; `undefined` if it is invalid. */
export function parsePath(text: string): JsonPath | undefined {
  if (text.length > pathLimits.characters) return undefined;
  const start = /^[$@]?/.exec(text)?.[0] ?? '';
  const steps: PathStep[] = [];
  stepPattern.lastIndex = start.length;
  while (stepPattern.lastIndex < text.length) {
    const isFirst = stepPattern.lastIndex === 0;
    const match = stepPattern.exec(text);
    if (!match || steps.length === pathLimits.steps) return undefined;
    const [segment, name, position, star, single, double] = match;
    // A name follows a dot, except at the start of a relative path.
    if (name !== undefined && isFirst === segment.startsWith('.')) return undefined;
    steps.push(
      star ? { all: true } : position === undefined ? ((name ?? single ?? double) as string) : Number(position),
    );
  }
  return text === '' ? undefined : { isAbsolute: start === '$', steps };
}

/** Returns the values at a path, at most `pathLimits.values`; none if the path leads nowhere. */
export function readPath({ isAbsolute, steps }: JsonPath, from: { root: unknown; item: unknown }): unknown[] {
  let values: unknown[] = [isAbsolute ? from.root : from.item];
  for (const step of steps) {
    values = values.flatMap((value) => {
      if (typeof value !== 'object' || value === null) return [];
      if (typeof step === 'object') return Array.isArray(value) ? value.slice(0, pathLimits.values) : [];
      const isApplicable = Array.isArray(value) === (typeof step === 'number');
      return isApplicable && Object.hasOwn(value, step) ? [(value as Record<PropertyKey, unknown>)[step]] : [];
    });
    values.length = Math.min(values.length, pathLimits.values);
  }
  return values;
}
