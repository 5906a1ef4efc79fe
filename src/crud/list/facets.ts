/** Facets: the values of a list with their counts, and the filters that a click sets. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useListContext } from 'ra-core';
import { bucketField } from '../../../schema/dsl/buckets';
import type { Entity } from '../../../schema/dsl/entity';
import { printListQuery } from '../../../schema/dsl/listQuery';
import type { Language } from '../../../schema/shared/languages';
import { call } from '../../providers/call';
import { type FilterValue, fieldAt, filterOf } from '../../providers/filters';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';
import { findEntity, isReadable, titleOf } from '../shared/entities';
import { filterValueList, isUsableBucket, type Translate } from '../shared/filters';

export interface FacetOption {
  value: string | number | boolean | null;
  label: string | null;
  /** `undefined` until known. */
  count?: number;
}
export type Facets = Readonly<Record<string, readonly FacetOption[]>>;

/** Minimum milliseconds between two requests for counts while rows keep changing. */
const recountAfter = 5000;

/**
 * The values known from the declaration, before the counts arrive. They reserve the place of the counts, so that the
 * rows below do not move under the pointer.
 */
export function facetsWithoutCounts(entity: Entity, translate: Translate): Facets {
  const declared = entity.list.facets.flatMap((name) => {
    const field = bucketField(entity, name) ?? entity.fields[name];
    if (!field || !isReadable(field) || !isUsableBucket(entity, name)) return [];
    const labelOf = (value: string) =>
      translate(`resources.${entity.name}.choices.${name}.${value}`, { _: value.replace('-', '–') });
    return [[name, (field.choices ?? []).map((value) => ({ value, label: labelOf(value) }))] as const];
  });
  return Object.fromEntries(declared);
}

/** The counts for the active filters; `undefined` until known. */
export function useFacets(entity: Entity): Facets | undefined {
  const client = useQueryClient();
  const { filterValues, filter } = useListContext();
  const search = printListQuery({ filter: filterOf(entity, { ...filterValues, ...filter }) });
  const { data } = useQuery({
    queryKey: [entity.name, 'facets', search],
    queryFn: ({ signal }) => call('GET /{resource}/facets', { params: { resource: entity.name }, search, signal }),
    placeholderData: keepPreviousData,
    // The list itself reports the error.
    meta: { quiet: true },
  });
  useLive(
    `resource/${entity.name}`,
    useThrottle(() => void client.invalidateQueries({ queryKey: [entity.name, 'facets'] }), recountAfter),
  );
  return data?.data;
}

/** The filtered values of a facet, and a function that toggles one. */
export function useFacetFilter(name: string): {
  isSelected: (value: FacetOption['value']) => boolean;
  toggle: (value: FacetOption['value']) => void;
} {
  const { filterValues, setFilters } = useListContext();
  const selectedValues = filterValueList(filterValues[name] as FilterValue | undefined).map(String);
  const toggle = (value: FacetOption['value']) => {
    const { [name]: _, ...others } = filterValues;
    const next = selectedValues.includes(String(value))
      ? selectedValues.filter((other) => other !== String(value))
      : [...selectedValues, String(value)];
    setFilters(next.length > 0 ? { ...others, [name]: next } : others);
  };
  return { isSelected: (value) => selectedValues.includes(String(value)), toggle };
}

/** Label of a value; countries and named roles are shown in the user's language. */
export function facetLabel({
  entity,
  name,
  option,
  language,
  none,
}: {
  entity: Entity;
  name: string;
  option: FacetOption;
  language: Language;
  /** The text for rows without a value. */
  none: string;
}): string {
  if (option.value === null || option.label === null) return none;
  const to = fieldAt(entity, [name])?.to;
  return to === 'countries' || to === 'roles'
    ? titleOf(findEntity(to), { name: option.label }, language)
    : option.label;
}
