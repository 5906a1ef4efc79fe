/** Applies the key rules of a tracker or its type to the fields of a message. */
import { type KeyRule, mapKey, type PlainValue, parseKeyRule } from '../../../schema/dsl/keyRules';
import type { Json } from './json';

export type MapKeys = (fields: Json) => Json;

/** For devices without rules. */
export const keepKeys: MapKeys = (fields) => fields;

/** Compiles key rules; those that cannot be parsed are ignored. */
export function buildKeyMap(texts: readonly string[]): MapKeys {
  const rules = texts.map(parseKeyRule).filter((rule): rule is KeyRule => rule !== undefined);
  if (rules.length === 0) return keepKeys;
  const isPlain = (value: unknown): value is PlainValue =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return (fields) => {
    const entries = Object.entries(fields).map(([key, value]): [string, unknown][] =>
      isPlain(value) ? mapKey(rules, key, value) : [[key, value]],
    );
    // Mapped values last: they take precedence over a key that has the name already.
    const isMapped = ([key]: [string, unknown][], index: number) => key?.[0] !== Object.keys(fields)[index];
    const orderedEntries = [...entries.filter((entry, index) => !isMapped(entry, index)), ...entries.filter(isMapped)];
    return Object.fromEntries(orderedEntries.flat());
  };
}
