import { useQueryClient } from '@tanstack/react-query';
import { serverTimeOf } from '../../i18n/serverClock';
import { useOldestShown } from '../../providers/lastSeen';
import { useIsServerReachable } from '../../providers/reachability';
import { useNow } from '../../resources/machines/useFleetTimeline';

/** Milliseconds after which data counts as outdated: twice the longest interval between two requests. */
const oldAfter = 10 * 60_000;

/**
 * `since`: time of the oldest data on a wall, in milliseconds. `undefined` while the server is reachable and the data
 * is not outdated.
 */
export function useDataAge(): { since: number; isReachable: boolean } | undefined {
  const client = useQueryClient();
  const now = useNow();
  const isReachable = useIsServerReachable();
  const storedTime = useOldestShown() ?? now;
  const loadTimes = client
    .getQueryCache()
    .findAll({
      type: 'active',
      predicate: ({ queryKey, state }) => queryKey[0] !== 'config' && state.dataUpdatedAt > 0,
    })
    .map(({ state }) => serverTimeOf(state.dataUpdatedAt));
  const since = Math.min(storedTime, ...loadTimes);
  return !isReachable || now - since > oldAfter ? { since, isReachable } : undefined;
}
