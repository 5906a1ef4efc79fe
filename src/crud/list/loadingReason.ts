/** The reason of a pending request, in the words of the specification's loading notices. */
import { useListContext } from 'ra-core';
import { useEffect, useRef } from 'react';

export type LoadingReason = 'data' | 'filters' | 'page' | 'per_page';

/** `undefined` if nothing is pending. A repeated request for the same rows, as after a live event, does not count. */
export function useLoadingReason(): LoadingReason | undefined {
  const { isPending, isPlaceholderData, filterValues, perPage, page, sort } = useListContext();
  const now = { filters: JSON.stringify(filterValues), per_page: perPage, page, sort: JSON.stringify(sort) };
  const settled = useRef(now);
  const busy = isPending || isPlaceholderData === true;
  useEffect(() => {
    if (!busy) settled.current = now;
  });
  if (!busy) return undefined;
  if (isPending) return 'data';
  if (settled.current.filters !== now.filters) return 'filters';
  if (settled.current.per_page !== now.per_page) return 'per_page';
  return settled.current.page !== now.page ? 'page' : 'data';
}
