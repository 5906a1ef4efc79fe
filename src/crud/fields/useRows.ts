/**
 * The options of a picker. The server searches; countries, languages and roles have translated names and are searched
 * here.
 */
import { type RaRecord, useGetList } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import type { Language } from '../../../schema/shared/languages';
import type { Filters } from '../../providers/filters';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { titleOf } from '../shared/entities';

/** Page size. */
const page = 25;
/** Milliseconds after the last keystroke before the request. */
const typingDelay = 250;

interface RowsRequest {
  entity: Entity;
  text: string;
  /** Requests start when the picker opens. */
  open: boolean;
  filter?: Filters;
  narrow?: (rows: readonly RaRecord[]) => RaRecord[];
  language: Language;
}

/** Entities of few rows with translated names. */
const named = ['countries', 'languages', 'roles'];

export function useRows({ entity, text, open, filter, narrow = all, language }: RowsRequest): {
  rows: RaRecord[];
  isPending: boolean;
  more: boolean;
} {
  const here = named.includes(entity.name);
  const sought = useDebouncedValue(here ? '' : text.trim(), typingDelay);
  const {
    data = [],
    total = 0,
    isPending,
  } = useGetList<RaRecord>(
    entity.name,
    {
      pagination: { page: 1, perPage: here ? 1000 : page },
      sort: { field: entity.list.sort.replace(/^-/, ''), order: entity.list.sort.startsWith('-') ? 'DESC' : 'ASC' },
      filter: { ...filter, ...(sought === '' ? {} : { search: sought }) },
    },
    { enabled: open, placeholderData: (previous) => previous },
  );
  if (!here) return { rows: data, isPending, more: total > data.length };
  const options = narrow(data)
    .map((row) => ({ row, title: titleOf(entity, row, language) }))
    .filter(({ title }) => title.toLocaleLowerCase(language).includes(text.trim().toLocaleLowerCase(language)))
    .sort((a, b) => a.title.localeCompare(b.title, language));
  return { rows: options.map(({ row }) => row), isPending, more: false };
}

const all = (rows: readonly RaRecord[]) => [...rows];
