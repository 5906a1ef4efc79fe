/**
 * What stands behind the path in the name of a filter: `name.begins`, `status.not`, `name.is.not`. Read on the server
 * and printed in the browser.
 */

/** How a text is compared where it need not merely be contained. */
export const textTests = ['is', 'begins'] as const;
export type TextTest = (typeof textTests)[number];

export interface FilterName {
  /** The field, along its relations. */
  path: string;
  test?: TextTest;
  /** The rows that the filter without this word leaves out. */
  not: boolean;
}

const isTest = (word: string): word is TextTest => (textTests as readonly string[]).includes(word);

/** No field is called like one of the words, so the last steps of a name are read as them. */
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
 * A day so many days from today, as `-7d`, `30d` or `0d`; `undefined` for anything else. Today begins at midnight where
 * the reader is (`Time-Zone`, else UTC), like every bare day.
 */
export function readRelativeDay(value: string): number | undefined {
  const [, days] = /^(-?\d{1,5})d$/.exec(value) ?? [];
  return days === undefined ? undefined : Number(days);
}
