/** The list from which a record was opened: its rows in page order, and the query for neighbouring pages. */
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

/** One-based position of a record in the whole list; `undefined` if it is not on the remembered page. */
export function positionInList({ ids, page, perPage }: LastList, id: Identifier): number | undefined {
  const index = ids.findIndex((other) => String(other) === String(id));
  return index < 0 ? undefined : (page - 1) * perPage + index + 1;
}
