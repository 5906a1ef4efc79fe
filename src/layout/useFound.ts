/** Results of the global search while the user types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FoundRows, shortestSearch } from '../../schema/features/search';
import { call } from '../providers/call';
import { useSettled } from '../ui/useSettled';

/** Milliseconds after the last keystroke before the request. */
const pause = 150;

export interface SearchResult {
  groups: FoundRows[];
  /** Whether results for the current text are pending. */
  waiting: boolean;
  failed: boolean;
}

export function useFound(typed: string): SearchResult {
  const text = typed.trim();
  const query = useSettled(text, pause);
  const enabled = query.length >= shortestSearch;
  const { data, isFetching, isError } = useQuery({
    queryKey: ['search', query],
    queryFn: async ({ signal }) =>
      (await call('GET /search', { search: String(new URLSearchParams({ q: query })), signal })).data,
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    meta: { quiet: true },
  });
  const waiting = text.length >= shortestSearch && (isFetching || query !== text);
  return { groups: text.length >= shortestSearch && enabled ? (data ?? []) : [], waiting, failed: enabled && isError };
}
