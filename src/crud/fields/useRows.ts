/** Options of a row picker. The server searches them, except for entities with translated names. */
import { type RaRecord, useGetList } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import type { Language } from '../../../schema/shared/languages';
import type { Filters } from '../../providers/filters';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { titleOf } from '../shared/entities';

const pageSize = 25;
/** Milliseconds between the last keystroke and the request. */
const typingDelay = 250;

interface RowsRequest {
  entity: Entity;
  text: string;
  /** Whether the picker is open; requests start only then. */
  open: boolean;
  filter?: Filters;
  narrow?: (rows: readonly RaRecord[]) => RaRecord[];
  language: Language;
}

/** Entities with few rows and translated names. They are searched in the browser, in the user's language. */
const translatedEntities = ['countries', 'languages', 'roles'];

export function useRows({ entity, text, open, filter, narrow = keepAll, language }: RowsRequest): {
  rows: RaRecord[];
  isPending: boolean;
  hasMore: boolean;
} {
  const isLocal = translatedEntities.includes(entity.name);
  const search = useDebouncedValue(isLocal ? '' : text.trim(), typingDelay);
  const {
    data = [],
    total = 0,
    isPending,
  } = useGetList<RaRecord>(
    entity.name,
    {
      pagination: { page: 1, perPage: isLocal ? 1000 : pageSize },
      sort: { field: entity.list.sort.replace(/^-/, ''), order: entity.list.sort.startsWith('-') ? 'DESC' : 'ASC' },
      filter: { ...filter, ...(search === '' ? {} : { search }) },
    },
    { enabled: open, placeholderData: (previous) => previous },
  );
  if (!isLocal) return { rows: data, isPending, hasMore: total > data.length };
  const options = narrow(data)
    .map((row) => ({ row, title: titleOf(entity, row, language) }))
    .filter(({ title }) => title.toLocaleLowerCase(language).includes(text.trim().toLocaleLowerCase(language)))
    .sort((a, b) => a.title.localeCompare(b.title, language));
  return { rows: options.map(({ row }) => row), isPending, hasMore: false };
}

const keepAll = (rows: readonly RaRecord[]) => [...rows];
