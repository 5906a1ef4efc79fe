/** Hosts of a database URL. */
import postgres from 'postgres';

/** Options of `net.connect`. */
export type Host = { host: string; port: number; path?: undefined } | { path: string; host?: undefined };

/** At least one host, in the order of the URL; a socket file where the URL names one. */
export function parseHosts(url: string): Host[] {
  const { host, port, path } = postgres(url, { max: 1 }).options as unknown as {
    host: string[];
    port: number[];
    path: string | false;
  };
  if (path) return [{ path }];
  return host.map((name, index) => ({ host: name, port: port[index] ?? 5432 }));
}
