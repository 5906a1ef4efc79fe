/** The list from which a record was opened: its rows in page order, and the query for neighbouring pages. */
import type { Identifier, SortPayload } from 'ra-core';
import { currentUser } from '../../providers/auth';

export interface LastList {
  ids: readonly Identifier[];
  page: number;
  perPage: number;
  total: number;
  filter: Readonly<Record<string, unknown>>;
  sort: SortPayload;
}

/** By user and entity, since another user may log in on the same page and must not learn how many rows there were. */
const lists = new Map<string, LastList>();
const listKey = (entity: string): string => `${currentUser()?.id} ${entity}`;

export const rememberList = (entity: string, list: LastList): void => void lists.set(listKey(entity), list);
export const lastList = (entity: string): LastList | undefined => lists.get(listKey(entity));

/** One-based position of a record in the whole list; `undefined` if it is not on the remembered page. */
export function positionInList({ ids, page, perPage }: LastList, id: Identifier): number | undefined {
  const index = ids.findIndex((other) => String(other) === String(id));
  return index < 0 ? undefined : (page - 1) * perPage + index + 1;
}
