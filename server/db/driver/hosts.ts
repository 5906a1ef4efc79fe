/** The servers that a database URL names. */
import postgres from 'postgres';

/** What `net.connect` takes. */
export type Host = { host: string; port: number; path?: undefined } | { path: string; host?: undefined };

/** At least one, in the order named; a socket file in place of a host where the URL names one. */
export function hostsOf(url: string): Host[] {
  const { host, port, path } = postgres(url, { max: 1 }).options as unknown as {
    host: string[];
    port: number[];
    path: string | false;
  };
  if (path) return [{ path }];
  return host.map((name, index) => ({ host: name, port: port[index] ?? 5432 }));
}
