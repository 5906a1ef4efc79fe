import { useQuery } from '@tanstack/react-query';
import { call } from '../../providers/call';

/** The counts of `InstallationHealth`, reloaded every minute. */
export const useInstallation = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({
    queryKey: ['dashboard', 'installation'],
    queryFn: ({ signal }) => call('GET /dashboard/installation', { signal }).then(({ data }) => data),
    refetchInterval: 60_000,
    enabled,
  });
