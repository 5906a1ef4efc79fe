/**
 * Rules that map keys and words of a device to ours: `batteryLevel -> battery`, `battery * 100 -> battery`, `state =
 * docked -> status = charging`. Pure functions.
 */

/** Keys to which a rule can map, with the types of their values. */
const targets = {
  status: 'word',
  mode: 'word',
  charging: 'boolean',
  is_moving: 'boolean',
  battery: 'number',
  speed: 'number',
  odometer: 'number',
  area: 'number',
  area_total: 'number',
  latitude: 'number',
  longitude: 'number',
  error: 'text',
  message: 'text',
} as const;
type Target = keyof typeof targets;

const words: Partial<Record<Target, readonly string[]>> = {
  status: ['charging', 'cleaning', 'parked'],
  mode: ['robotic', 'manual', 'teaching'],
  charging: ['true', 'false'],
  is_moving: ['true', 'false'],
};

export interface KeyRule {
  key: string;
  to: Target;
  factor: number;
  /** Restricts the rule to one word of the device, which becomes this value. */
  match?: { word: string; value: string | boolean };
}

export type PlainValue = string | number | boolean;

const rulePattern =
  /^([^\s=*>]+)\s*(?:=\s*([^=*>]*[^=*>\s])\s*|\*\s*(\d+(?:\.\d+)?)\s*)?->\s*([a-z_]+)(?:\s*=\s*(\S+))?$/;

/** Parses a rule; `undefined` if it is invalid. */
export function parseKeyRule(text: string): KeyRule | undefined {
  const [, key, word, factor, to, value] = rulePattern.exec(text.trim()) ?? [];
  if (key === undefined || to === undefined || !Object.hasOwn(targets, to)) return undefined;
  const target = to as Target;
  const rule = { key, to: target, factor: Number(factor ?? 1) };
  if (factor !== undefined && targets[target] !== 'number') return undefined;
  if (word === undefined && value === undefined) return rule;
  if (word === undefined || value === undefined || !words[target]?.includes(value)) return undefined;
  return { ...rule, match: { word, value: targets[target] === 'boolean' ? value === 'true' : value } };
}

/** Common rules that the form suggests. */
export const keyRulePresets = {
  battery: ['batteryLevel -> battery', 'battery_level -> battery', 'soc -> battery'],
  fraction: ['battery * 100 -> battery'],
  state: [
    'state = working -> status = cleaning',
    'state = docked -> status = charging',
    'state = idle -> status = parked',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Maps a key and its value by the rules for that key. Without such a rule, both stay unchanged. */
export function mapKey(rules: readonly KeyRule[], key: string, value: PlainValue): [string, PlainValue][] {
  const matchingRules = rules.filter((rule) => rule.key === key);
  if (matchingRules.length === 0) return [[key, value]];
  const word = String(value).toLowerCase();
  const mappedValues = new Map<string, PlainValue>();
  for (const { to, factor, match } of matchingRules) {
    if (!match) mappedValues.set(to, convert(to, factor, value));
    else if (match.word.toLowerCase() === word) mappedValues.set(to, match.value);
    // A word without a rule ends the state that another word began.
    else if (!mappedValues.has(to))
      mappedValues.set(to, typeof match.value === 'boolean' ? !match.value : String(value));
  }
  return [...mappedValues];
}

function convert(to: Target, factor: number, value: PlainValue): PlainValue {
  if (targets[to] === 'boolean' && typeof value === 'string') return value.toLowerCase() === 'true';
  if (targets[to] !== 'number' || typeof value === 'boolean') return value;
  const number = typeof value === 'string' ? Number(value.replace(/\s*%\s*$/, '') || Number.NaN) : value;
  // Rounds to 12 digits, so that 0.29 becomes 29 percent instead of 28.999…, while a position stays exact.
  return Number.isFinite(number) ? Number((number * factor).toPrecision(12)) : value;
}
