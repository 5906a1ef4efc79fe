/** What pages must know about the server that they talk to. */
import { useQuery } from '@tanstack/react-query';
import { api } from './http';

export interface ServerConfig {
  /** Template such as `https://tiles.example.org/{z}/{x}/{y}.png`, or null: no tiles. */
  tile_url: string | null;
  /** Whom the tiles' licence wants named. */
  tile_attribution?: string | null;
  /** Most rows of a file that is imported. */
  import_rows: number;
}

/** Asked for once; `undefined` until then, and where the server cannot be reached. */
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
