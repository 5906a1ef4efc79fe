/** Why a request is pending, in the terms of the specification's loading notices. */
import { useListContext } from 'ra-core';
import { useEffect, useRef } from 'react';

export type LoadingReason = 'data' | 'filters' | 'page' | 'per_page';

/** `undefined` if nothing is pending. Ignores repeated requests for the same rows, as after a live event. */
export function useLoadingReason(): LoadingReason | undefined {
  const { isPending, isPlaceholderData, filterValues, perPage, page, sort } = useListContext();
  const current = { filters: JSON.stringify(filterValues), per_page: perPage, page, sort: JSON.stringify(sort) };
  const settled = useRef(current);
  const isBusy = isPending || isPlaceholderData === true;
  useEffect(() => {
    if (!isBusy) settled.current = current;
  });
  if (!isBusy) return undefined;
  if (isPending) return 'data';
  if (settled.current.filters !== current.filters) return 'filters';
  if (settled.current.per_page !== current.per_page) return 'per_page';
  return settled.current.page !== current.page ? 'page' : 'data';
}
