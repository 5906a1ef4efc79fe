/** A separate installation: a server without the demo, on either kind of database, and its first Admin. */
import { type Cluster, startCluster } from './startCluster';
import { type Server, startServer } from './startServer';
import { callApi, type Session } from './visit';

export const databaseNames = ['the embedded database', 'PostgreSQL'] as const;
export type DatabaseName = (typeof databaseNames)[number];

export interface Installation {
  server: Server;
  /** Logs in its Admin. */
  signIn(): Promise<Session>;
  /** Calls its API; `path` omits `/api/v1/`. */
  api<T>(method: string, path: string, options?: { token?: string; body?: unknown }): Promise<T>;
  stop(): Promise<void>;
}

const account = { email: 'first@example.com', password: 'Sweep!Line7' };

/** Starts an installation. `env`: additional settings of the server. */
export async function startInstallation(
  database: DatabaseName = 'the embedded database',
  env: Record<string, string> = {},
): Promise<Installation> {
  const cluster: Cluster | undefined = database === 'PostgreSQL' ? await startCluster() : undefined;
  const server = await startServer({
    env: {
      SWEEPLINE_DEMO: '0',
      SWEEPLINE_ADMIN_EMAIL: account.email,
      SWEEPLINE_ADMIN_PASSWORD: account.password,
      RATE_LIMIT: 'off',
      ...env,
      ...(cluster && { DATABASE_URL: cluster.url }),
    },
  });
  const api: Installation['api'] = (method, path, options) =>
    callApi(method, `/api/v1/${path}`, { ...options, url: server.url });
  return {
    server,
    api,
    signIn: () => api('POST', 'login', { body: account }),
    async stop() {
      await server.stop();
      await cluster?.stop();
    },
  };
}

/** Creates a client with a fleet, a location and a machine. Returns the id of the machine. */
export async function createFirstMachine({ api }: Installation, token: string): Promise<number> {
  const create = async (resource: string, body: object) =>
    (await api<{ data: { id: number } }>('POST', resource, { token, body })).data.id;
  const { data: countries } = await api<{ data: { id: number }[] }>('GET', 'countries', { token });
  const address = { street: 'Quay', building: '1', city: 'Hamburg', postal_code: '20095' };
  const image = 'https://example.com/logo.png';
  const client_id = await create('clients', { ...address, name: 'Harbour', country_id: countries[0]?.id, image });
  const fleet_id = await create('fleets', { name: 'North', color: '#0b7a75', client_id });
  const locationAddress = { address: 'Quay 1', city: 'Hamburg', postal_code: '20095' };
  const location_id = await create('locations', { ...locationAddress, name: 'Hall', fleet_id });
  return create('machines', { serial_number: 'S-1', custom_type: 'Sweeper', fleet_id, location_id });
}
