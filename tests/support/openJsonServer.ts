/** The unmodified `ra-data-json-server` provider, connected to a listening application. */
import jsonServerProvider from 'ra-data-json-server';
import { type DataProvider, fetchUtils, type HttpError } from 'react-admin';
import type { TestApp } from './startTestApp';

export interface JsonServer {
  /** Provider with the session of a user. */
  createProvider(userId: number): Promise<DataProvider>;
  /** Calls the API without the provider; `path` is relative to `/api/json-server/v1/`. */
  fetchAs(userId: number, path: string, init?: RequestInit): Promise<Response>;
}

/** Makes the application listen on a free port. */
export async function openJsonServer(app: TestApp): Promise<JsonServer> {
  const address = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const url = `${address}/api/json-server/v1`;
  const tokens = new Map<number, Promise<string>>();
  const loadToken = (userId: number): Promise<string> => {
    const token = tokens.get(userId) ?? app.createSessionToken(userId);
    tokens.set(userId, token);
    return token;
  };
  return {
    async createProvider(userId) {
      const user = { authenticated: true, token: `Bearer ${await loadToken(userId)}` };
      return jsonServerProvider(url, (path, options) => fetchUtils.fetchJson(path, { ...options, user }));
    },
    fetchAs: async (userId, path, init = {}) =>
      fetch(`${url}/${path}`, {
        ...init,
        headers: {
          authorization: `Bearer ${await loadToken(userId)}`,
          ...(init.body ? { 'content-type': 'application/json' } : {}),
          ...init.headers,
        },
      }),
  };
}

/** Status with which a call of the provider fails; 200 if it succeeds. */
export const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: HttpError) => error.status,
  );
