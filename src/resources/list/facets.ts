/** The values of a list with their numbers of rows, and how a click on one changes the filter. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useListContext } from 'ra-core';
import { useRef } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { printListQuery } from '../../../schema/dsl/query';
import type { Language } from '../../../schema/texts/types';
import { type FilterValue, fieldAt, filterOf } from '../../providers/filter';
import { api } from '../../providers/http';
import { useLive } from '../../providers/live';
import { entityNamed, titleOf } from '../entities';
import { listOf } from './filters';

export interface FacetValue {
  value: string | number | boolean | null;
  label: string | null;
  count: number;
}
export type Facets = Readonly<Record<string, readonly FacetValue[]>>;

/** Milliseconds between two counts while rows keep changing. */
const recountAfter = 5000;

/** The counts under the filters in force; `undefined` until they are known. */
export function useFacets(entity: Entity): Facets | undefined {
  const client = useQueryClient();
  const { filterValues, filter } = useListContext();
  const search = printListQuery({ filter: filterOf(entity, { ...filterValues, ...filter }) });
  const { data } = useQuery({
    queryKey: [entity.name, 'facets', search],
    queryFn: ({ signal }) => api<{ data: Facets }>(`${entity.name}/facets?${search}`, { signal }),
    placeholderData: keepPreviousData,
    // The list itself says what went wrong.
    meta: { quiet: true },
  });
  const last = useRef(0);
  useLive(`resource/${entity.name}`, () => {
    if (Date.now() - last.current < recountAfter) return;
    last.current = Date.now();
    void client.invalidateQueries({ queryKey: [entity.name, 'facets'] });
  });
  return data?.data;
}

/** Which values of a facet are asked for, and how one is taken in or out. */
export function useFacetFilter(name: string): { isAsked: (value: FacetValue['value']) => boolean; toggle: (value: FacetValue['value']) => void } {
  const { filterValues, setFilters } = useListContext();
  const asked = listOf(filterValues[name] as FilterValue | undefined).map(String);
  const toggle = (value: FacetValue['value']) => {
    const { [name]: _, ...others } = filterValues;
    const next = asked.includes(String(value)) ? asked.filter((one) => one !== String(value)) : [...asked, String(value)];
    setFilters(next.length > 0 ? { ...others, [name]: next } : others);
  };
  return { isAsked: (value) => asked.includes(String(value)), toggle };
}

/** How a value is called: countries and named roles in the reader's language. */
export function facetLabel({
  entity,
  name,
  value,
  language,
  none,
}: {
  entity: Entity;
  name: string;
  value: FacetValue;
  language: Language;
  none: string;
}): string {
  if (value.value === null || value.label === null) return none;
  const to = fieldAt(entity, [name])?.to;
  return to === 'countries' || to === 'roles' ? titleOf(entityNamed(to), { name: value.label }, language) : value.label;
}
