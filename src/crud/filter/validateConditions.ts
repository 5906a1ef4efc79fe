/** Validates conditions, for messages at their inputs. Pure. */

import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { isDay } from '../../../schema/dsl/isDay';
import { printListQuery } from '../../../schema/dsl/listQuery';
import { fieldAt, filterOf } from '../../providers/filters';
import { inputKindOf } from '../shared/filters';
import { type Condition, isDayField, printConditions } from './conditions';

export type ConditionProblem =
  | 'field'
  | 'required'
  | 'choose'
  | 'number'
  | 'duration'
  | 'day'
  | 'days'
  | 'order'
  | 'twice'
  | 'long';

/** Maximum length of a query in characters, as accepted by saved views and servers. */
const maxQueryLength = 4000;

/** Problems by index of the condition; empty if all are valid. */
export function validateConditions(
  entity: Entity,
  conditions: readonly Condition[],
): ReadonlyMap<number, ConditionProblem> {
  const problems = new Map<number, ConditionProblem>();
  for (const [index, condition] of conditions.entries()) {
    const problem = problemOf(entity, condition);
    if (problem) problems.set(index, problem);
  }
  if (problems.size > 0) return problems;
  const { filters, conflicts } = printConditions(entity, conditions);
  for (const index of conflicts) problems.set(index, 'twice');
  if (problems.size === 0 && printListQuery({ filter: filterOf(entity, filters) }).length > maxQueryLength)
    problems.set(indexOfLongest(conditions), 'long');
  return problems;
}

const indexOfLongest = (conditions: readonly Condition[]): number => {
  const lengths = conditions.map(({ values }) => values.join().length);
  return lengths.indexOf(Math.max(...lengths));
};

function problemOf(entity: Entity, { path, operator, values }: Condition): ConditionProblem | undefined {
  if (operator === 'other') return undefined;
  const field = path === '' ? undefined : fieldAt(entity, path.split('.'));
  if (!field) return 'field';
  if (operator === 'empty' || operator === 'filled') return undefined;
  const inputKind = inputKindOf(field);
  if (inputKind === 'choices' || inputKind === 'rows' || inputKind === 'boolean')
    return values.length === 0 ? 'choose' : undefined;
  const valueCount = operator === 'between' ? 2 : 1;
  if (values.length < valueCount || values.some((value) => value === '')) return 'required';
  if (inputKind === 'text') return undefined;
  if (operator === 'last' || operator === 'next' || operator === 'older')
    return /^\d{1,5}$/.test(values[0] ?? '') ? undefined : 'days';
  const isInvalid = values.some((value) => !isValidValue(field, value));
  if (isInvalid) return isDayField(field) ? 'day' : field.unit === 's' ? 'duration' : 'number';
  if (operator !== 'between') return undefined;
  const [from = '', to = ''] = values;
  return (isDayField(field) ? from <= to : Number(from) <= Number(to)) ? undefined : 'order';
}

const isValidValue = (field: Field, value: string): boolean =>
  isDayField(field)
    ? isDay(value) || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)
    : /^-?\d{1,15}(\.\d{1,15})?$/.test(value);
