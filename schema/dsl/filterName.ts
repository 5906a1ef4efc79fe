/**
 * Names of filters: suffixes (`name.begins`, `status.not`, `name.is.not`), and a prefix for groups of alternatives, at
 * least one of which must match (`any.0.1.status`). The server reads the names; pages print them.
 */
import { addToGroup } from './addToGroup';

/** Text comparisons other than "contains", which is the default. */
export const textTests = ['is', 'begins'] as const;
export type TextTest = (typeof textTests)[number];

export interface FilterName {
  /** Path along relations to a field. */
  path: string;
  test?: TextTest;
  /** Negates the filter. */
  not: boolean;
  /** Group and alternative, such as `any.0.1`; absent for a filter that stands alone. */
  alternative?: string | undefined;
}

const alternativePattern = /^(any\.\d{1,3}\.\d{1,3})\.(.+)$/;

/** Returns the name of a filter without its alternative: `any.0.1.status.not` becomes `status.not`. */
export const plainFilterName = (name: string): string => alternativePattern.exec(name)?.[2] ?? name;

const isTest = (word: string): word is TextTest => (textTests as readonly string[]).includes(word);

/** Splits a name into path and suffixes. No field is named like a suffix, so the last steps must be suffixes. */
export function parseFilterName(name: string): FilterName {
  const alternative = alternativePattern.exec(name)?.[1];
  const steps = plainFilterName(name).split('.');
  const not = steps.length > 1 && steps.at(-1) === 'not';
  if (not) steps.pop();
  const last = steps.at(-1) ?? '';
  const test = steps.length > 1 && isTest(last) ? last : undefined;
  if (test) steps.pop();
  return { path: steps.join('.'), ...(test && { test }), not, ...(alternative && { alternative }) };
}

export const printFilterName = ({ path, test, not, alternative }: FilterName): string =>
  [...(alternative ? [alternative] : []), path, ...(test ? [test] : []), ...(not ? ['not'] : [])].join('.');

interface FilterGroups<Filter> {
  /** Filters outside of groups; all of them must match. */
  ungrouped: Filter[];
  /** Filters by group and alternative. Of each group, all filters of at least one alternative must match. */
  groups: Filter[][][];
}

/** Groups filters by the groups and alternatives in their names, ordered by their first filter. */
export function groupFilters<Filter>(
  filters: readonly Filter[],
  nameOf: (filter: Filter) => string,
): FilterGroups<Filter> {
  const ungrouped: Filter[] = [];
  const groups = new Map<string, Map<string, Filter[]>>();
  for (const filter of filters) {
    const [, group = '', alternative = ''] = alternativePattern.exec(nameOf(filter))?.[1]?.split('.') ?? [];
    if (group === '') {
      ungrouped.push(filter);
      continue;
    }
    const alternatives = groups.get(group) ?? new Map<string, Filter[]>();
    groups.set(group, alternatives);
    addToGroup(alternatives, alternative, filter);
  }
  return { ungrouped, groups: [...groups.values()].map((alternatives) => [...alternatives.values()]) };
}

/**
 * Parses a relative day such as `-7d`, `30d` or `0d` to its number of days; `undefined` for anything else. Like every
 * plain day, today begins at midnight in the reader's `Time-Zone` (default UTC).
 */
export function parseRelativeDay(value: string): number | undefined {
  const [, days] = /^(-?\d{1,5})d$/.exec(value) ?? [];
  return days === undefined ? undefined : Number(days);
}
