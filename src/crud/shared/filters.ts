/** Filters as people see them: which are offered, how each is asked for and called. Pure. */
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relation';
import { type FilterValue, fieldAt } from '../../providers/filter';
import { findEntity, isReadable } from './entities';

export type Translate = (key: string, options?: Record<string, unknown>) => string;

/** How a filter on each kind is asked for. */
export type FilterForm = 'words' | 'range' | 'choices' | 'truth' | 'rows' | 'none';
export const formOf: Record<Kind, FilterForm> = {
  text: 'words',
  longtext: 'words',
  email: 'words',
  phone: 'words',
  color: 'words',
  integer: 'range',
  number: 'range',
  money: 'range',
  boolean: 'truth',
  date: 'range',
  instant: 'range',
  choice: 'choices',
  tags: 'words',
  image: 'none',
  password: 'none',
  ref: 'rows',
  refs: 'rows',
  many: 'none',
  records: 'none',
};

/** How a filter on a field is asked for: where there is a list of words, by the list. */
export const formFor = ({ kind, choices }: Field): FilterForm => (choices ? 'choices' : formOf[kind]);

/** A word of a field's list, for people; what is an entity's name is called as that entity. */
export const choiceLabel = (entity: string, path: string, value: string, translate: Translate): string =>
  translate(`resources.${entity}.choices.${path}.${value}`, {
    _: translate(`resources.${value}.plural`, { _: value }),
  });

/** The paths offered: the declared ones first, then every other field the reader sees. */
export function offeredFilters(entity: Entity): string[] {
  const others = Object.keys(entity.fields).filter((name) => !['id', 'version'].includes(name));
  return [...new Set([...entity.list.filters, ...Object.keys(entity.buckets), ...others])].filter((path) => {
    const field = fieldAt(entity, path.split('.'));
    return (
      field !== undefined &&
      isReadable(field) &&
      formFor(field) !== 'none' &&
      !(field.store === 'derived' && field.kind === 'text')
    );
  });
}

/**
 * "Status", or "Location, Address" for a path of relations; what is asked of a row's very existence is called as the
 * relation.
 */
export function filterLabel(entity: Entity, path: string, translate: Translate): string {
  const [step = '', ...rest] = path.split('.');
  if (rest.length === 0) return translate(`resources.${entity.name}.fields.${step}`, { _: step });
  const { name, target } = relationAt(entity, step) ?? {};
  if (!name || !target) return path;
  const own = translate(`resources.${entity.name}.fields.${name}`);
  return rest.join('.') === 'id' ? own : `${own}, ${filterLabel(target, rest.join('.'), translate)}`;
}

/** The entity whose field stands at the end of a path. */
export const ownerAt = (entity: Entity, path: string): Entity =>
  path
    .split('.')
    .slice(0, -1)
    .reduce((at, step) => relationAt(at, step)?.target ?? at, entity);

function relationAt(entity: Entity, step: string): { name: string; target: Entity } | undefined {
  const [name, field] =
    Object.entries(entity.fields).find(([own, { kind, to }]) => relationName(own, { kind, to }) === step) ?? [];
  const target = findEntity(field?.to);
  return name && target ? { name, target } : undefined;
}

/** The values of a filter as a list; a text of several, as links write it, is split. */
export function listOf(value: FilterValue | undefined): (string | number | boolean | null)[] {
  if (value === undefined || value === '') return [];
  if (Array.isArray(value)) return [...value];
  return typeof value === 'string' ? value.split(',') : [value as number | boolean | null];
}
