/**
 * Converts the filters of a list to conditions, which users edit individually, and back. Pure. The filters in the
 * URL remain the only state.
 */
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import {
  type FilterName,
  groupFilters,
  parseFilterName,
  parseRelativeDay,
  printFilterName,
} from '../../../schema/dsl/filterName';
import { type Filters, type FilterValue, fieldAt, filteredBy } from '../../providers/filters';
import { type FilterInputKind, filterValueList, inputKindOf } from '../shared/filters';

export const operators = [
  'contains',
  'contains_not',
  'is',
  'is_not',
  'begins',
  'begins_not',
  'one_of',
  'none_of',
  'at_least',
  'at_most',
  'more',
  'less',
  'between',
  'last',
  'next',
  'older',
  'empty',
  'filled',
  'other',
] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  /** Field name, or path across relations. */
  path: string;
  operator: Operator;
  /** In the list dialect without operator signs; `null` means "empty". For `other`, the raw value of the filter. */
  values: readonly string[];
  /** For `other`: name of a filter that cannot be expressed as a condition. */
  name?: string;
  /** Group and alternative within it, such as `any.0.1`. All conditions of one alternative must hold. */
  alternative?: string;
}

const operatorsByInputKind: Record<FilterInputKind, readonly Operator[]> = {
  text: ['contains', 'contains_not', 'is', 'is_not', 'begins', 'begins_not', 'one_of', 'none_of', 'empty', 'filled'],
  range: ['is', 'is_not', 'at_least', 'at_most', 'more', 'less', 'between', 'one_of', 'none_of', 'empty', 'filled'],
  choices: ['one_of', 'none_of', 'empty', 'filled'],
  boolean: ['is', 'empty', 'filled'],
  rows: ['one_of', 'none_of', 'empty', 'filled'],
  none: ['empty', 'filled'],
};
const dayFieldOperators: readonly Operator[] = [
  'is',
  'is_not',
  'at_least',
  'at_most',
  'more',
  'less',
  'between',
  'last',
  'next',
  'older',
  'empty',
  'filled',
];

export const isDayField = ({ kind }: Field): boolean => kind === 'date' || kind === 'instant';

/** Operators of a field, the most likely first. Required fields have no "empty"; lists of rows have only "empty". */
export function findOperators(entity: Entity, path: string): readonly Operator[] {
  const field = fieldAt(entity, path.split('.'));
  if (!field) return [];
  if (path.endsWith('.id')) return operatorsByInputKind.none;
  const candidates = isDayField(field) ? dayFieldOperators : operatorsByInputKind[inputKindOf(field)];
  const isDerivedChoice = field.kind === 'choice' && field.store === 'derived';
  const hasDefault = field.default !== undefined && (field.kind === 'choice' || field.kind === 'boolean');
  const isNeverEmpty = (field.required === true || isDerivedChoice || hasDefault) && !path.includes('.');
  return isNeverEmpty ? candidates.filter((operator) => operator !== 'empty' && operator !== 'filled') : candidates;
}

/** The conditions of a list; grouped ones come last. Skips parameters that are not conditions, such as the search. */
export function parseConditions(entity: Entity, filters: Filters): Condition[] {
  const { ungrouped, groups } = groupFilters(Object.entries(filters), ([name]) => name);
  return [...ungrouped, ...groups.flat(2)].flatMap(([name, value]) => {
    if (name === 'search' || name === 'trashed' || value === undefined || value === '') return [];
    const { path, test, not, alternative } = parseFilterName(name);
    const field = filteredBy(entity, name);
    const parsedConditions = field && readers[inputKindOf(field)]({ path, test, not }, textsOf(field, value), field);
    const conditions: Condition[] =
      parsedConditions && parsedConditions.length > 0
        ? parsedConditions
        : [{ path, operator: 'other', values: textsOf(field, value), name }];
    return alternative ? conditions.map((condition) => ({ ...condition, alternative })) : conditions;
  });
}

/** The group of a condition, such as `any.0`; `undefined` for a single condition. */
export const groupOf = ({ alternative }: Condition): string | undefined => alternative?.replace(/\.\d+$/, '');

/** The conditions of each chip: a single condition, or those of a group. */
export function groupConditions<C extends Condition>(conditions: readonly C[]): C[][] {
  const chips: C[][] = [];
  for (const condition of conditions) {
    const last = chips.at(-1);
    const group = groupOf(condition);
    if (group && last?.[0] && groupOf(last[0]) === group) last.push(condition);
    else chips.push([condition]);
  }
  return chips;
}

/** A new alternative after all existing ones, in `group` or, by default, in a new group. */
export function nextAlternative(conditions: readonly Condition[], group?: string): string {
  const inGroup = conditions.filter((condition) => condition.alternative && (!group || groupOf(condition) === group));
  const numbers = inGroup.map(({ alternative }) => Number(alternative?.split('.')[group ? 2 : 1]));
  const next = Math.max(-1, ...numbers) + 1;
  return group ? `${group}.${next}` : `any.${next}.0`;
}

export const conditionKey = ({ alternative, path, operator, name }: Condition): string =>
  `${alternative} ${path} ${operator} ${name}`;

/**
 * Converts conditions to filters. Also returns the indexes of conditions that cannot be combined with an earlier one on
 * the same field.
 */
export function printConditions(
  entity: Entity,
  conditions: readonly Condition[],
): { filters: Filters; conflicts: number[] } {
  const filters: Record<string, string[]> = {};
  const conflicts: number[] = [];
  for (const [index, condition] of conditions.entries()) {
    const { name, values } = writeCondition(entity, condition);
    const filterValue = filters[name];
    if (filterValue && !(areComparisons(filterValue) && areComparisons(values))) conflicts.push(index);
    else filters[name] = [...(filterValue ?? []), ...values];
  }
  return {
    filters: Object.fromEntries(
      Object.entries(filters).map(([name, values]) => [name, typedValue(entity, name, values)]),
    ),
    conflicts,
  };
}

const areComparisons = (values: readonly string[]) => values.every((value) => /^[<>]/.test(value));

type Reader = (name: FilterName, values: string[], field: Field) => Condition[] | undefined;

const isEmpty = (values: readonly string[]) => values.length === 1 && values[0] === 'null';
const singleCondition = (path: string, operator: Operator, values: readonly string[]): Condition[] => [
  { path, operator, values },
];

/** Reads filters on fields with a fixed set of values. */
const readChoices: Reader = ({ path, test, not }, values) => {
  if (test) return undefined;
  if (isEmpty(values)) return singleCondition(path, not ? 'filled' : 'empty', []);
  return singleCondition(path, not ? 'none_of' : 'one_of', values);
};

const readText: Reader = ({ path, test, not }, values) => {
  if (isEmpty(values)) return test ? undefined : singleCondition(path, not ? 'filled' : 'empty', []);
  if (values.includes('null')) return undefined;
  if (test === 'is')
    return singleCondition(path, values.length > 1 ? (not ? 'none_of' : 'one_of') : not ? 'is_not' : 'is', values);
  return singleCondition(
    path,
    test === 'begins' ? (not ? 'begins_not' : 'begins') : not ? 'contains_not' : 'contains',
    values,
  );
};

const signs = [
  ['>=', 'at_least'],
  ['<=', 'at_most'],
  ['<>', 'is_not'],
  ['>', 'more'],
  ['<', 'less'],
] as const satisfies [string, Operator][];

const readRange: Reader = ({ path, test, not }, values, field) => {
  if (isEmpty(values) && !test) return singleCondition(path, not ? 'filled' : 'empty', []);
  if (test || not || values.includes('null')) return undefined;
  const { conditions, remaining } = isDayField(field)
    ? splitRelativePeriods(path, values)
    : { conditions: [], remaining: values };
  const comparisons = remaining.map((value) => {
    const [sign, operator] = signs.find(([prefix]) => value.startsWith(prefix)) ?? (['', 'is'] as const);
    return { operator, value: value.slice(sign.length) };
  });
  if (isDayField(field) && comparisons.some(({ value }) => parseRelativeDay(value) !== undefined)) return undefined;
  const valuesWith = (operator: Operator) =>
    comparisons.filter((comparison) => comparison.operator === operator).map(({ value }) => value);
  const [from, to] = [valuesWith('at_least'), valuesWith('at_most')];
  const isBetween = from.length === 1 && to.length === 1;
  if (isBetween) conditions.push({ path, operator: 'between', values: [...from, ...to] });
  for (const operator of ['at_least', 'at_most', 'more', 'less'] as const) {
    const isCovered = isBetween && (operator === 'at_least' || operator === 'at_most');
    if (!isCovered)
      conditions.push(...valuesWith(operator).map((value): Condition => ({ path, operator, values: [value] })));
  }
  for (const [single, multiple] of [
    ['is', 'one_of'],
    ['is_not', 'none_of'],
  ] as const) {
    const equal = valuesWith(single);
    if (equal.length > 0) conditions.push({ path, operator: equal.length > 1 ? multiple : single, values: equal });
  }
  return conditions;
};

/** Separates relative periods ("in the last 7 days") from the other values. */
function splitRelativePeriods(
  path: string,
  values: readonly string[],
): { conditions: Condition[]; remaining: string[] } {
  const conditions: Condition[] = [];
  const remainingValues: string[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const [value = '', next = ''] = values.slice(index);
    const last = next === '<=0d' && /^>=-(\d+)d$/.exec(value)?.[1];
    const days = value === '>=0d' && /^<=(\d+)d$/.exec(next)?.[1];
    const olderDays = /^<-(\d+)d$/.exec(value)?.[1];
    if (last || days) index += 1;
    if (last) conditions.push({ path, operator: 'last', values: [last] });
    else if (days) conditions.push({ path, operator: 'next', values: [days] });
    else if (olderDays) conditions.push({ path, operator: 'older', values: [olderDays] });
    else remainingValues.push(value);
  }
  return { conditions, remaining: remainingValues };
}

const readers: Record<FilterInputKind, Reader> = {
  text: readText,
  range: readRange,
  choices: readChoices,
  rows: readChoices,
  none: (name, values) => (isEmpty(values) ? readChoices(name, values, { kind: 'many' }) : undefined),
  boolean: (name, values) => {
    if (isEmpty(values)) return readChoices(name, values, { kind: 'boolean' });
    return name.not || name.test || values.length !== 1 || !/^(true|false)$/.test(values[0] ?? '')
      ? undefined
      : singleCondition(name.path, 'is', values);
  },
};

/** The filter name and values of a condition, in the list dialect. */
function writeCondition(
  entity: Entity,
  { path, operator, values, name, alternative }: Condition,
): { name: string; values: readonly string[] } {
  const field = fieldAt(entity, path.split('.'));
  const inputKind = field ? inputKindOf(field) : 'none';
  const nameWith = (nameParts: Partial<FilterName>) => printFilterName({ path, not: false, alternative, ...nameParts });
  if (operator === 'other' || name) return { name: name ?? path, values };
  if (operator === 'empty') return { name: nameWith({}), values: ['null'] };
  if (operator === 'filled') return { name: nameWith({ not: true }), values: ['null'] };
  if (inputKind === 'range') return { name: nameWith({}), values: printComparison(operator, values) };
  const not = operator === 'none_of' || operator.endsWith('_not');
  if (inputKind !== 'text') return { name: nameWith({ not }), values };
  if (operator.startsWith('contains')) return { name: nameWith({ not }), values };
  return { name: nameWith({ test: operator.startsWith('begins') ? 'begins' : 'is', not }), values };
}

function printComparison(operator: Operator, values: readonly string[]): string[] {
  const [first = '', second = ''] = values;
  if (operator === 'between') return [`>=${first}`, `<=${second}`];
  if (operator === 'last') return [`>=-${first}d`, '<=0d'];
  if (operator === 'next') return ['>=0d', `<=${first}d`];
  if (operator === 'older') return [`<-${first}d`];
  const sign = operator === 'none_of' ? '<>' : (signs.find(([, signOperator]) => signOperator === operator)?.[0] ?? '');
  return values.map((value) => `${sign}${value}`);
}

/** Values as texts. Splits comma-separated text, as links contain it, except for text fields. */
function textsOf(field: Field | undefined, value: FilterValue): string[] {
  const isText = field === undefined || inputKindOf(field) === 'text';
  const items = isText && !Array.isArray(value) ? [value] : filterValueList(value);
  return items.map((item) => String(item));
}

/** Values in the types that other controls of a list expect: ids as numbers, yes and no as booleans. */
function typedValue(entity: Entity, name: string, values: readonly string[]): FilterValue {
  if (isEmpty(values)) return 'null';
  const field = filteredBy(entity, name);
  const inputKind = field ? inputKindOf(field) : 'none';
  if (inputKind === 'boolean' && values.length === 1) return values[0] === 'true';
  if (inputKind === 'rows') return values.map((value) => (/^\d+$/.test(value) ? Number(value) : value));
  return [...values];
}
