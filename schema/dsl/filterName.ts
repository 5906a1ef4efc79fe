/**
 * The suffixes of a filter's name: `name.begins`, `status.not`, `name.is.not`. Read on the server, printed in the
 * browser.
 */

/** Text comparisons other than "contains", which is the default. */
export const textTests = ['is', 'begins'] as const;
export type TextTest = (typeof textTests)[number];

export interface FilterName {
  /** The field, along its relations. */
  path: string;
  test?: TextTest;
  /** Negates the filter. */
  not: boolean;
}

const isTest = (word: string): word is TextTest => (textTests as readonly string[]).includes(word);

/** Splits path and suffixes. No field has the name of a suffix, so the last steps can be read as suffixes. */
export function readFilterName(name: string): FilterName {
  const steps = name.split('.');
  const not = steps.length > 1 && steps.at(-1) === 'not';
  if (not) steps.pop();
  const last = steps.at(-1) ?? '';
  const test = steps.length > 1 && isTest(last) ? last : undefined;
  if (test) steps.pop();
  return { path: steps.join('.'), ...(test && { test }), not };
}

export const printFilterName = ({ path, test, not }: FilterName): string =>
  [path, ...(test ? [test] : []), ...(not ? ['not'] : [])].join('.');

/**
 * Parses a relative day such as `-7d`, `30d` or `0d` to its number of days; `undefined` for anything else. Today begins
 * at midnight in the reader's `Time-Zone` (default UTC), as every bare day does.
 */
export function readRelativeDay(value: string): number | undefined {
  const [, days] = /^(-?\d{1,5})d$/.exec(value) ?? [];
  return days === undefined ? undefined : Number(days);
}
