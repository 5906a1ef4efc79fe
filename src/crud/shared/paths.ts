/** Addresses of lists and rows. */
import type { RaRecord } from 'ra-core';
import { createContext, useContext } from 'react';

/** Path of an entity's list, of the form for a new row (`create` as id), of a row, or of its form. */
export type PathOf = (entity: string, id?: RaRecord['id'], page?: 'edit') => string;

/** Joins the path of a list with those of a row and its form. */
export const pathBelow = (list: string, id?: RaRecord['id'], page?: 'edit'): string =>
  [list, ...(id === undefined ? [] : [encodeURIComponent(String(id))]), ...(page ? [page] : [])].join('/');

/** The addresses of the product: `/machines/7/edit`. Invitations are listed beside the users. */
export const pathOf: PathOf = (entity, id, page) =>
  entity === 'invitations' && id === undefined ? '/users/invitations' : pathBelow(`/${entity}`, id, page);

/** Replaces `pathOf` for the pages inside, so that their links stay in an area with addresses of its own. */
export const PathsContext = createContext<PathOf>(pathOf);

/** The addresses where the page is open. A page links by these, never by a path of its own. */
export const usePathOf = (): PathOf => useContext(PathsContext);
