/**
 * The list that a record was opened from: its rows on the page in their order, and how to ask for the pages beside it.
 */
import type { Identifier, SortPayload } from 'ra-core';

export interface LastList {
  ids: readonly Identifier[];
  page: number;
  perPage: number;
  total: number;
  filter: Readonly<Record<string, unknown>>;
  sort: SortPayload;
}

const lists = new Map<string, LastList>();

export const rememberList = (entity: string, list: LastList): void => void lists.set(entity, list);
export const lastList = (entity: string): LastList | undefined => lists.get(entity);

/** Where a record stands in the whole list, counted from 1; `undefined` when it is not on the remembered page. */
export function positionInList({ ids, page, perPage }: LastList, id: Identifier): number | undefined {
  const index = ids.findIndex((other) => String(other) === String(id));
  return index < 0 ? undefined : (page - 1) * perPage + index + 1;
}
