import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../providers/call';
import { staleTime } from './useDashboard';

export const installationQuery = queryOptions({
  queryKey: ['dashboard', 'installation'],
  queryFn: ({ signal }) => call('GET /dashboard/installation', { signal }).then(({ data }) => data),
  refetchInterval: 60_000,
  staleTime,
});

/** The counts that `InstallationHealth` shows, reloaded every minute. */
export const useInstallation = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({ ...installationQuery, enabled });
