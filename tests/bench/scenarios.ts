/** What is measured: calls of the product beside the same question to the limit. */
import type { Pair } from './pairs';

interface Request {
  method: string;
  path: string;
  body?: string;
  token?: string;
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

/** The list of an entity as its page asks for it; `common` and `searched` are what the limit filters by (limits.ts). */
interface Listed {
  sort: string;
  include: string;
  /** Included rows have only these fields. */
  names: Record<string, string>;
  common: [field: string, value: string];
  searched: string;
  /** Part of a value that few rows have. */
  word: (value: string) => string;
}

export const listed = {
  machines: {
    sort: 'serial_number',
    include: 'fleet,location',
    names: {},
    common: ['stock_state', 'deployed'],
    searched: 'serial_number',
    word: (value) => value.slice(-5),
  },
  users: {
    sort: 'last_name',
    include: 'roles,client',
    names: { 'fields[roles]': 'id,name', 'fields[clients]': 'id,name' },
    common: ['is_staff', 'false'],
    searched: 'email',
    word: (value) => value.slice(0, 12),
  },
  clients: {
    sort: 'name',
    include: 'country,fleetsCount,machinesCount,usersCount',
    names: { 'fields[countries]': 'id,name' },
    common: ['sms_activation', 'false'],
    searched: 'name',
    word: (value) => value.slice(-8),
  },
} as const satisfies Record<string, Listed>;

export type ListedName = keyof typeof listed;

export async function scenariosOf(pair: Pair, entity: ListedName): Promise<Scenario[]> {
  return entity === 'machines'
    ? [...(await lists(pair, entity)), ...(await singles(pair))]
    : [...(await lists(pair, entity)), await ofCountry(pair, entity)];
}

/** The filter differs from request to request more often than totals are remembered: every total is counted. */
const differing = numbers(20_000);

const filtered = (entity: ListedName) => {
  const { sort, include, names, common } = listed[entity];
  return { per_page: '25', sort, [`filter[${common[0]}]`]: common[1], include, ...names };
};

async function lists({ samples }: Pair, entity: ListedName): Promise<Scenario[]> {
  const { sort, searched, word } = listed[entity];
  const page = { per_page: '25', sort };
  const words = (await samples(entity)).map((row) => word(String(row[searched])));
  return [
    {
      name: `${entity}, counted anew`,
      product: differing.map((after) =>
        get(`/api/v1/${entity}?${query({ ...filtered(entity), 'filter[id]': `>${after}` })}`),
      ),
      limit: differing.map((after) => get(`/${entity}/anew/${after}`)),
      expect: 200,
      bar: 0.9,
    },
    {
      name: `${entity}, total still valid`,
      product: [get(`/api/v1/${entity}?${query(filtered(entity))}`)],
      limit: [get(`/${entity}/list`)],
      expect: 200,
      bar: 2.5,
    },
    {
      name: `${entity}, page 2,000`,
      product: [get(`/api/v1/${entity}?${query({ ...page, page: '2000' })}`)],
      limit: [get(`/${entity}/deep`)],
      expect: 200,
      bar: 0.9,
    },
    {
      name: `${entity}, contains-search`,
      product: words.map((text) => get(`/api/v1/${entity}?${query({ ...page, [`filter[${searched}]`]: text })}`)),
      limit: words.map((text) => get(`/${entity}/search/${encodeURIComponent(text)}`)),
      expect: 200,
      bar: 0.7,
    },
  ];
}

/** Counted for a Country Manager, beside a limit that knows which country to look at. */
async function ofCountry({ manager }: Pair, entity: ListedName): Promise<Scenario> {
  const { token, country } = await manager();
  return {
    name: `${entity} of a country, anew`,
    product: differing.map((after) => ({
      ...get(`/api/v1/${entity}?${query({ ...filtered(entity), 'filter[id]': `>${after}` })}`),
      token,
    })),
    limit: differing.map((after) => get(`/${entity}/country/${country}/${after}`)),
    expect: 200,
    bar: 0.9,
  };
}

async function singles({ samples }: Pair): Promise<Scenario[]> {
  const machines = await samples('machines');
  const ids = machines.map(({ id }) => id);
  const fleet_id = machines[0]?.fleet_id;
  const type_id = machines.find((machine) => machine.type_id !== null)?.type_id;
  const machine = JSON.stringify({
    serial_number: 'bench-%n',
    fleet_id,
    type_id,
    stock_state: 'in_stock',
    note: 'made by the bench',
  });
  return [
    {
      name: 'one machine with relations',
      product: ids.map((id) => get(`/api/v1/machines/${id}?include=fleet,location,type,tracker,client`)),
      limit: ids.map((id) => get(`/machines/one/${id}`)),
      expect: 200,
      bar: 0.5,
    },
    {
      name: 'create',
      product: [{ method: 'POST', path: '/api/v1/machines', body: machine }],
      limit: [{ method: 'POST', path: '/machines/create', body: machine }],
      expect: 201,
      bar: 0.5,
    },
  ];
}
