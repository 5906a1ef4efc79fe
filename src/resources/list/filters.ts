/** Filters as people see them: which are offered, what a chip says, how ranges are written. Pure. */
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relation';
import type { Language } from '../../../schema/texts/types';
import { formatDate, formatDuration, formatMoney, formatNumber } from '../../i18n/format';
import { type FilterValue, fieldAt } from '../../providers/filter';
import { entityNamed, isReadable } from '../entities';

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
  translate(`resources.${entity}.choices.${path}.${value}`, { _: translate(`resources.${value}.plural`, { _: value }) });

/** Filters of the list's own making, without a field. */
export const special = ['search', 'trashed'] as const;

/** The paths offered: the declared ones first, then every other field the reader sees. */
export function offeredFilters(entity: Entity): string[] {
  const others = Object.keys(entity.fields).filter((name) => !['id', 'version'].includes(name));
  return [...new Set([...entity.list.filters, ...Object.keys(entity.buckets), ...others])].filter((path) => {
    const field = fieldAt(entity, path.split('.'));
    return field !== undefined && isReadable(field) && formFor(field) !== 'none' && !(field.store === 'derived' && field.kind === 'text');
  });
}

/** "Status", or "Location, Address" for a path of relations. */
export function filterLabel(entity: Entity, path: string, translate: Translate): string {
  const [step = '', ...rest] = path.split('.');
  if (rest.length === 0) return translate(`resources.${entity.name}.fields.${step}`, { _: step });
  const [name, field] = Object.entries(entity.fields).find(([own, { kind, to }]) => relationName(own, { kind, to }) === step) ?? [];
  const target = entityNamed(field?.to);
  if (!name || !target) return path;
  return `${translate(`resources.${entity.name}.fields.${name}`)}, ${filterLabel(target, rest.join('.'), translate)}`;
}

/** A range as the dialect writes it: `['>=100', '<=200']`; `undefined` when both ends are open. */
export function rangeOf(from: string, to: string): string[] | undefined {
  const range = [...(from === '' ? [] : [`>=${from}`]), ...(to === '' ? [] : [`<=${to}`])];
  return range.length > 0 ? range : undefined;
}

/** The two ends of a written range; a plain value is both. */
export function endsOf(value: FilterValue | undefined): { from: string; to: string } {
  const parts = listOf(value).map(String);
  const end = (sign: string) => parts.find((part) => part.startsWith(sign))?.slice(sign.length) ?? '';
  const plain = parts.find((part) => !/^[<>]/.test(part) && part !== 'null') ?? '';
  return { from: end('>=') || plain, to: end('<=') || plain };
}

export const isNothingAsked = (value: FilterValue | undefined): boolean => listOf(value).some((item) => item === null || item === 'null');

/** The values of a filter as a list; a text of several, as links write it, is split. */
export function listOf(value: FilterValue | undefined): (string | number | boolean | null)[] {
  if (value === undefined || value === '') return [];
  if (Array.isArray(value)) return [...value];
  return typeof value === 'string' ? value.split(',') : [value as number | boolean | null];
}

interface Described {
  entity: Entity;
  path: string;
  field: Field;
  value: FilterValue;
  translate: Translate;
  language: Language;
}

/** What a chip says after the name of its field; rows are named by whoever knows them. */
export function describeFilter({ entity, path, field, value, translate, language }: Described): string {
  const form = formFor(field);
  if (isNothingAsked(value) && form !== 'rows') return translate('filters.empty');
  if (form === 'truth')
    return listOf(value)
      .map((item) => translate(`resources.${entity.name}.choices.${path}.${item}`, { _: translate(String(item) === 'true' ? 'frame.yes' : 'frame.no') }))
      .join(` ${translate('filters.or')} `);
  if (form === 'choices') {
    const owner = path.includes('.') ? undefined : entity.name;
    return listOf(value)
      .map((item) => (owner ? choiceLabel(owner, path, String(item), translate) : String(item)))
      .join(` ${translate('filters.or')} `);
  }
  if (form === 'range') {
    const { from, to } = endsOf(value);
    const text = (end: string) => printed(field, end, language);
    if (from !== '' && from === to) return text(from);
    return [from && `≥ ${text(from)}`, to && `≤ ${text(to)}`].filter(Boolean).join(', ');
  }
  return Array.isArray(value) ? value.join(` ${translate('filters.or')} `) : String(value);
}

function printed(field: Field, text: string, language: Language): string {
  if (field.kind === 'date' || field.kind === 'instant') return formatDate(text);
  if (Number.isNaN(Number(text))) return text;
  if (field.kind === 'money') return formatMoney(text, language);
  return field.unit === 's' ? formatDuration(Number(text), language) : formatNumber(Number(text), { language });
}
