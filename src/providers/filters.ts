/** Converts filters of pages to the list dialect. */
import { bucketField } from '../../schema/dsl/buckets';
import type { Entity } from '../../schema/dsl/entity';
import type { Field, Kind } from '../../schema/dsl/field';
import { parseFilterName } from '../../schema/dsl/filterName';
import type { ListQuery } from '../../schema/dsl/listQuery';
import { relationName } from '../../schema/dsl/relationName';
import { entities } from '../../schema/index';

/** Value of one filter. Of several values one must match; of several comparisons all must. */
export type FilterValue = string | number | boolean | null | readonly (string | number | boolean | null)[];
/** Filters by path: `status`, `location.address`, `search`, `trashed`. */
export type Filters = Record<string, FilterValue>;

/** Converts the filters of a page. Commas separate values, except in free text, where users type them. */
export function filterOf(entity: Entity | undefined, filters: Record<string, unknown>): ListQuery['filter'] {
  return flatten(filters)
    .map(([name, value]) => ({
      path: filterPath(entity, name),
      values: valuesOf(entity && filteredBy(entity, name), value),
    }))
    .filter(({ values }) => values.length > 0);
}

/** Maps react-admin's `q` to the full-text search, unless the entity has a field of that name. */
const filterPath = (entity: Entity | undefined, name: string): string =>
  name === 'q' && !Object.hasOwn(entity?.fields ?? {}, 'q') ? 'search' : name;

/** The field or bucket of a filter; `undefined` for `search` and unknown names. */
export const filteredBy = (entity: Entity, name: string): Field | undefined =>
  fieldAt(entity, parseFilterName(name).path.split('.'));

/** The field or bucket at the end of a path; `undefined` for `search` and unknown names. */
export function fieldAt(entity: Entity, [step = '', ...further]: readonly string[]): Field | undefined {
  if (further.length === 0) return Object.hasOwn(entity.fields, step) ? entity.fields[step] : bucketField(entity, step);
  const relation = Object.entries(entity.fields).find(([name, field]) => relationName(name, field) === step)?.[1];
  const target = entities.find(({ name }) => name === relation?.to);
  return target && fieldAt(target, further);
}

const freeTextKinds: readonly Kind[] = ['text', 'longtext', 'email', 'phone', 'tags', 'hours', 'image'];

function valuesOf(field: Field | undefined, value: unknown): string[] {
  const items = Array.isArray(value)
    ? value
    : typeof value === 'string' && field && !freeTextKinds.includes(field.kind)
      ? value.split(',')
      : [value];
  return items.map((item) => (item === null ? 'null' : String(item ?? ''))).filter((item) => item !== '');
}

/** Flattens filters to paths with dots. */
export const flattenFilters = (filters: Record<string, unknown>): Filters =>
  Object.fromEntries(flatten(filters)) as Filters;

/** Filters on relations may be nested, as `{ location: { address } }`. */
function flatten(filters: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(filters).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value as Record<string, unknown>, `${prefix}${key}.`)
      : [[`${prefix}${key}`, value]],
  );
}
