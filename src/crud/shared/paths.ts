/** Addresses of lists and rows. */
import type { RaRecord } from 'ra-core';
import { createContext, useContext } from 'react';

/** Path of an entity's list, of the create form (`create` as id), of a row, or of its form. */
export type PathOf = (entity: string, id?: RaRecord['id'], page?: 'edit') => string;

/** Appends a row and its form to the path of a list. */
export const pathBelow = (list: string, id?: RaRecord['id'], page?: 'edit'): string =>
  [list, ...(id === undefined ? [] : [encodeURIComponent(String(id))]), ...(page ? [page] : [])].join('/');

/** The default paths: `/machines/7/edit`. The list of invitations is below users. */
export const pathOf: PathOf = (entity, id, page) =>
  entity === 'invitations' && id === undefined ? '/users/invitations' : pathBelow(`/${entity}`, id, page);

/** Replaces `pathOf` for the pages inside, so that their links stay in an area with its own URLs. */
export const PathsContext = createContext<PathOf>(pathOf);

/** The path function of the surrounding area. Pages must link through it, never by fixed paths. */
export const usePathOf = (): PathOf => useContext(PathsContext);
