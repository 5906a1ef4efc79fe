/** Results of the global search while the user types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { minSearchLength, type SearchGroup } from '../../schema/features/search';
import { call } from '../providers/call';
import { useDebouncedValue } from '../ui/useDebouncedValue';

/** Milliseconds between the last keystroke and the request. */
export const typingDelay = 150;

export interface SearchResult {
  groups: SearchGroup[];
  /** Whether results for the current text are pending. */
  isPending: boolean;
  isFailed: boolean;
}

export function useSearchResults(searchText: string): SearchResult {
  const text = searchText.trim();
  const query = useDebouncedValue(text, typingDelay);
  const enabled = query.length >= minSearchLength;
  const { data, isFetching, isError } = useQuery({
    queryKey: ['search', query],
    queryFn: async ({ signal }) =>
      (await call('GET /search', { search: String(new URLSearchParams({ q: query })), signal })).data,
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    meta: { quiet: true },
  });
  const isPending = text.length >= minSearchLength && (isFetching || query !== text);
  return {
    groups: text.length >= minSearchLength && enabled ? (data ?? []) : [],
    isPending,
    isFailed: enabled && isError,
  };
}
