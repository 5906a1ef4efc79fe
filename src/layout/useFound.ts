/** Results of the global search while the user types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type FoundRows, shortestSearch } from '../../schema/features/search';
import { call } from '../providers/call';

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
  const asked = useSettled(text);
  const enabled = asked.length >= shortestSearch;
  const { data, isFetching, isError } = useQuery({
    queryKey: ['search', asked],
    queryFn: async ({ signal }) =>
      (await call('GET /search', { search: String(new URLSearchParams({ q: asked })), signal })).data,
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    meta: { quiet: true },
  });
  const waiting = text.length >= shortestSearch && (isFetching || asked !== text);
  return { groups: text.length >= shortestSearch && enabled ? (data ?? []) : [], waiting, failed: enabled && isError };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
