/** Resets filters, sort and page of lists. */
import { useCallback } from 'react';
import { useStoreContext } from 'react-admin';

/**
 * Returns a function that resets the stored state of every list: 10 rows per page, page 1, no filter (specification,
 * section 4).
 */
export function useClearLists(): () => void {
  const store = useStoreContext();
  return useCallback(() => {
    for (const key of Object.keys(store.listItems?.() ?? {})) if (/listParams$/.test(key)) store.removeItem(key);
  }, [store]);
}
