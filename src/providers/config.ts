/** Server configuration for pages. */
import { useQuery } from '@tanstack/react-query';
import { api } from './http';

export interface ServerConfig {
  /** Template such as `https://tiles.example.org/{z}/{x}/{y}.png`, or null: no tiles. */
  tile_url: string | null;
  /** Attribution required by the licence of the tiles. */
  tile_attribution?: string | null;
  /** Maximum rows of an imported file. */
  import_rows: number;
}

/** Loaded once; `undefined` until then, or if the server is unreachable. */
export function useServerConfig(): ServerConfig | undefined {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => api<{ data: ServerConfig }>('config', { signal }).then(({ data: config }) => config),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });
  return data;
}
