/** Grouping of lists: the fields to group by, and the fields that are summed for each group. */
import type { Entity } from './entity';
import type { Field } from './field';

/** Groups by each value, or by the months of a date. */
export type Grouping = 'value' | 'month';

/** Returns how the field groups a list; `undefined` if it cannot. */
export function groupingOf({ kind, choices }: Field): Grouping | undefined {
  if (kind === 'date' || kind === 'instant') return 'month';
  const isClosed = kind === 'choice' || kind === 'boolean' || (kind === 'text' && choices !== undefined);
  return isClosed || kind === 'ref' ? 'value' : undefined;
}

export const groupableFields = ({ fields }: Entity): string[] =>
  Object.keys(fields).filter((name) => groupingOf(fields[name] as Field) !== undefined);

export const additiveFields = ({ fields }: Entity): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.additive === true);
