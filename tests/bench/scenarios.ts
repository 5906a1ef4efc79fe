/** What is measured: calls of the product beside the same question to the limit. */
import type { Pair } from './pairs';

interface Request {
  method: string;
  path: string;
  body?: string;
}

export interface Scenario {
  name: string;
  product: Request[];
  limit: Request[];
  /** Status of a right answer of both. */
  expect: number;
  /** Least ratio to the limit at concurrency 10 (issue 2, "Bar"). */
  bar?: number;
}

const get = (path: string): Request => ({ method: 'GET', path });
const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

export async function scenariosOf({ sample }: Pair): Promise<Scenario[]> {
  const page = { per_page: '25', sort: 'serial_number' };
  const filtered = { ...page, 'filter[stock_state]': 'deployed', include: 'fleet,location' };
  const { ids, words, fleetId, typeId } = await sample();
  const machine = JSON.stringify({ serial_number: 'bench-%n', fleet_id: fleetId, type_id: typeId, stock_state: 'in_stock', note: 'made by the bench' });
  return [
    // The filter differs from request to request more often than totals are remembered: every count is made anew.
    {
      name: 'list, counted anew',
      product: numbers(20_000).map((after) => get(`/api/v1/machines?${query({ ...filtered, 'filter[id]': `>${after}` })}`)),
      limit: numbers(20_000).map((after) => get(`/anew/${after}`)),
      expect: 200,
      bar: 0.9,
    },
    { name: 'list, total still valid', product: [get(`/api/v1/machines?${query(filtered)}`)], limit: [get('/list')], expect: 200, bar: 2.5 },
    { name: 'page 2,000 beside OFFSET', product: [get(`/api/v1/machines?${query({ ...page, page: '2000' })}`)], limit: [get('/deep')], expect: 200, bar: 2 },
    {
      name: 'contains-search beside scan',
      product: words.map((word) => get(`/api/v1/machines?${query({ ...page, 'filter[serial_number]': word })}`)),
      limit: words.map((word) => get(`/search/${word}`)),
      expect: 200,
      bar: 10,
    },
    {
      name: 'one machine with relations',
      product: ids.map((id) => get(`/api/v1/machines/${id}?include=fleet,location,type,tracker,client`)),
      limit: ids.map((id) => get(`/one/${id}`)),
      expect: 200,
      bar: 0.5,
    },
    {
      name: 'create',
      product: [{ method: 'POST', path: '/api/v1/machines', body: machine }],
      limit: [{ method: 'POST', path: '/create', body: machine }],
      expect: 201,
      bar: 0.5,
    },
  ];
}
