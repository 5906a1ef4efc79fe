/**
 * A client of the API whose calls the compiler checks. Its types are printed by `npm run api:types > sweepline-api.ts`,
 * or from a server: `npx openapi-typescript http://127.0.0.1:8080/api/v1/openapi.json -o sweepline-api.ts`.
 */
import createClient from 'openapi-fetch';
import type { paths } from 'sweepline-api';

/**
 * Logs in, renames the first fleet whose name contains `from`, creates a fleet `from` for the same client, and reads
 * the cleaning report of a `month` (`YYYY-MM`).
 */
export async function renameFleet(
  { baseUrl, email, password }: { baseUrl: string; email: string; password: string },
  { from, to, month }: { from: string; to: string; month: string },
) {
  const api = createClient<paths>({ baseUrl });

  const login = await api.POST('/login', { body: { email, password } });
  if (!login.data) throw new Error(login.error.message);
  if ('two_factor' in login.data) throw new Error('This account has a second factor: use an API token.');
  const { token } = login.data;
  api.use({
    onRequest: ({ request }) => {
      request.headers.set('Authorization', `Bearer ${token}`);
      return request;
    },
  });

  const list = await api.GET('/fleets', { params: { query: { filter: { name: from }, per_page: 1, sort: 'name' } } });
  if (!list.data) throw new Error(list.error.message);
  const [fleet] = list.data.data;
  if (fleet?.id === undefined || fleet.client_id === undefined) throw new Error(`No fleet has a name with "${from}".`);

  const changed = await api.PATCH('/fleets/{id}', {
    params: { path: { id: fleet.id }, header: { 'If-Match': `"${fleet.version}"` } },
    body: { name: to },
  });
  if (!changed.data) throw new Error(changed.error.message);

  const created = await api.POST('/fleets', { body: { name: from, color: '#336699', client_id: fleet.client_id } });
  if (!created.data) throw new Error(created.error.message);

  const report = await api.GET('/reports/cleaning', { params: { query: { month, by: 'client' } } });
  if (!report.data) throw new Error(report.error.message);

  return {
    renamed: changed.data.data.name,
    created: created.data.data.id,
    columns: report.data.data.columns,
    total: report.data.data.lines.find(({ level }) => level === 'total'),
  };
}
