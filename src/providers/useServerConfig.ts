import { useQuery } from '@tanstack/react-query';
import type { ServerConfig } from '../../schema/endpoints/session';
import { call } from './call';

/** Server configuration, loaded once; `undefined` until then or while the server is unreachable. */
export function useServerConfig(): ServerConfig | undefined {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: async ({ signal }) => (await call('GET /config', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  return data;
}
