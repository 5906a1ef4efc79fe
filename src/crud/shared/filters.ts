/** Filters on pages: which ones exist, their input and label. Pure. */
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relationName';
import { can } from '../../providers/auth';
import { type FilterValue, fieldAt } from '../../providers/filters';
import { findEntity, isReadable } from './entities';

export type Translate = (key: string, options?: Record<string, unknown>) => string;

/** Type of input for a filter. */
export type FilterInputKind = 'text' | 'range' | 'choices' | 'boolean' | 'rows' | 'none';
export const inputKinds: Record<Kind, FilterInputKind> = {
  text: 'text',
  longtext: 'text',
  email: 'text',
  phone: 'text',
  color: 'text',
  integer: 'range',
  number: 'range',
  money: 'range',
  boolean: 'boolean',
  date: 'range',
  instant: 'range',
  choice: 'choices',
  tags: 'text',
  hours: 'text',
  json: 'none',
  image: 'none',
  password: 'none',
  ref: 'rows',
  refs: 'rows',
  many: 'none',
  records: 'none',
};

/** Type of input for a filter on a field; `choices` if the field has a fixed set of values. */
export const inputKindOf = ({ kind, choices }: Field): FilterInputKind => (choices ? 'choices' : inputKinds[kind]);

/** Label of a choice. A choice that names an entity gets the label of that entity. */
export const choiceLabel = (entity: string, path: string, value: string, translate: Translate): string =>
  translate(`resources.${entity}.choices.${path}.${value}`, {
    _: translate(`resources.${value}.plural`, { _: value }),
  });

/** Paths that the user may filter by: declared filters first, then all other visible fields. */
export function filterablePaths(entity: Entity): string[] {
  const others = Object.keys(entity.fields).filter((name) => !['id', 'version'].includes(name));
  return [...new Set([...entity.list.filters, ...Object.keys(entity.buckets), ...others])].filter((path) => {
    const field = fieldAt(entity, path.split('.'));
    return (
      field !== undefined &&
      isUsableBucket(entity, path) &&
      isReadable(field) &&
      inputKindOf(field) !== 'none' &&
      !(field.store === 'derived' && field.kind === 'text')
    );
  });
}

/** Whether the user may read the rows that a bucket counts; `true` for anything else. */
export function isUsableBucket({ buckets, fields }: Entity, name: string): boolean {
  const bucket = Object.hasOwn(buckets, name) ? buckets[name] : undefined;
  const target = bucket && 'of' in bucket ? fields[bucket.of]?.to : undefined;
  return target === undefined || can(target, 'list') || can(target, 'show');
}

/**
 * "Status", or "Location, Address" for a path across relations. A filter on the existence of a related row has the
 * label of the relation.
 */
export function filterLabel(entity: Entity, path: string, translate: Translate): string {
  const [step = '', ...further] = path.split('.');
  if (further.length === 0) return translate(`resources.${entity.name}.fields.${step}`, { _: step });
  const { name, target } = relationAt(entity, step) ?? {};
  if (!name || !target) return path;
  const fieldLabel = translate(`resources.${entity.name}.fields.${name}`);
  return further.join('.') === 'id'
    ? fieldLabel
    : `${fieldLabel}, ${filterLabel(target, further.join('.'), translate)}`;
}

/** The entity of the last field of a path. */
export const entityAtPath = (entity: Entity, path: string): Entity =>
  path
    .split('.')
    .slice(0, -1)
    .reduce((current, step) => relationAt(current, step)?.target ?? current, entity);

function relationAt(entity: Entity, step: string): { name: string; target: Entity } | undefined {
  const [name, field] =
    Object.entries(entity.fields).find(([fieldName, { kind, to }]) => relationName(fieldName, { kind, to }) === step) ??
    [];
  const target = findEntity(field?.to);
  return name && target ? { name, target } : undefined;
}

/** The values of a filter as a list. Splits comma-separated text, as links contain it. */
export function filterValueList(value: FilterValue | undefined): (string | number | boolean | null)[] {
  if (value === undefined || value === '') return [];
  if (Array.isArray(value)) return [...value];
  return typeof value === 'string' ? value.split(',') : [value as number | boolean | null];
}
