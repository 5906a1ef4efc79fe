/** Cache times and retries of queries (specification, section 7). */
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { endLastSeen } from '../providers/lastSeen';
import { isServerReachable, onReachability } from '../providers/reachability';

const cacheTime = 5 * 60 * 1000;
const retries = 3;
const firstDelay = 1000;
const maxDelay = 30_000;

interface Meta extends Record<string, unknown> {
  /** The code that runs the query handles its failure, so no toast appears. */
  quiet?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta;
  }
}

/** Milliseconds before the retry after `failures` failures: 1 s, doubling, at most 30 s. */
export const retryDelay = (failures: number): number => Math.min(firstDelay * 2 ** failures, maxDelay);

/** Whether to retry: not after the server has rejected the request itself. */
export const shouldRetry = (failures: number, error: unknown): boolean => failures < retries && !isRefusal(error);

/** Calls `onFailure` for every failed query and mutation that is not `quiet`. */
export function createQueryClient(onFailure: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => query.meta?.quiet !== true && onFailure(error) }),
    mutationCache: new MutationCache({ onError: onFailure }),
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        // Offline calls fail at once, so that the user learns of it, instead of waiting silently.
        networkMode: 'always',
        retry: shouldRetry,
        retryDelay,
        gcTime: cacheTime,
      },
      mutations: { networkMode: 'always', retry: 0 },
    },
  });
}

/**
 * Repeats queries once the server is reachable again: all if stored responses were shown, else those on the page that
 * have failed, wait for their next attempt, or may have lost their response. Returns the unsubscribe function.
 */
export const resumeQueries = (client: QueryClient): (() => void) =>
  onReachability(() => {
    if (!isServerReachable()) return;
    const hadStoredResponses = endLastSeen();
    const isPending = ({ state }: Query) => state.fetchStatus === 'fetching';
    const isFailed = ({ state }: Query) => state.error !== null && !isRefusal(state.error);
    const pendingQueries = client.getQueryCache().findAll({ type: 'active', predicate: isPending });
    const mustRetry = (query: Query) => isFailed(query) || pendingQueries.includes(query);
    void client
      .cancelQueries({ type: 'active', predicate: isPending })
      .then(() =>
        hadStoredResponses
          ? client.invalidateQueries()
          : client.refetchQueries({ type: 'active', predicate: mustRetry }, { cancelRefetch: false }),
      );
  });

function isRefusal(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
  return status >= 400 && status < 500;
}
