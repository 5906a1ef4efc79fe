/** Applies the key rules of a tracker or its type to the fields of a message. */
import { type KeyRule, mapKey, type PlainValue, parseKeyRule } from '../../../schema/dsl/keyRules';
import type { Json } from './json';

/** Returns the fields of a message under our keys. */
export type MapKeys = (fields: Json) => Json;

/** For devices without rules. */
export const keepKeys: MapKeys = (fields) => fields;

/** Compiles key rules. Ignores rules that cannot be parsed. */
export function buildKeyMap(texts: readonly string[]): MapKeys {
  const rules = texts.map(parseKeyRule).filter((rule): rule is KeyRule => rule !== undefined);
  if (rules.length === 0) return keepKeys;
  const isPlain = (value: unknown): value is PlainValue =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return (fields) => {
    const names = Object.keys(fields);
    const entries = Object.entries(fields).map(([key, value]): [string, unknown][] =>
      isPlain(value) ? mapKey(rules, key, value) : [[key, value]],
    );
    // Mapped values come last, so that they take precedence over a key that has the name already.
    const isMapped = ([first]: [string, unknown][], index: number) => first?.[0] !== names[index];
    const orderedEntries = [...entries.filter((entry, index) => !isMapped(entry, index)), ...entries.filter(isMapped)];
    return Object.fromEntries(orderedEntries.flat());
  };
}
