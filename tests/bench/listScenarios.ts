/** Scenarios on lists and single rows, measured under load and compared with the limit. */
import { rowsSql } from './fleetScenarios';
import { limited, machineSql, pageSql } from './limits';
import { type BenchRequest, type BenchRole, barFor, benchRoles, type LimitedName, type Scenario } from './scenario';

/** An entity's list as its page requests it. The limit filters by `common` and `searched` (limits.ts). */
interface ListedEntity {
  sort: string;
  include: string;
  /** Fields of the included rows, by relation. */
  names: Record<string, string>;
  common: readonly [field: string, value: string];
  searched: string;
  /** Returns a part of a value that few rows contain. */
  word: (value: string) => string;
}

const entities: Record<LimitedName, ListedEntity> = {
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
};

/**
 * Both sides print the same fields, except that the reason of a state is an enum for the limit and a sentence in the
 * API.
 */
const wholeRows = { isWhole: true, translatedFields: ['status_reason'] } as const;

const pageOf = (entity: LimitedName, extraParameters: Record<string, string>): string =>
  `${entity}?${new URLSearchParams({ per_page: '25', sort: entities[entity].sort, ...extraParameters })}`;

/** The request of the list page, with a filter that most rows match. */
function filteredPage(entity: LimitedName, extraParameters: Record<string, string> = {}): string {
  const { include, names, common } = entities[entity];
  return pageOf(entity, { [`filter[${common[0]}]`]: common[1], ...extraParameters, include, ...names });
}

/**
 * More filter values than the cache of totals holds. All are above every id, so each total is counted over all rows.
 */
const distinctIds = Array.from({ length: 20_000 }, (_, index) => 1_000_000 + index);

const countScenario = (entity: LimitedName, bars: Scenario['bars']): Scenario => ({
  work: `${entity}, counted again`,
  unit: 'ratio',
  bars,
  entity,
  ...wholeRows,
  requests: () =>
    distinctIds.map((below) => ({ path: filteredPage(entity, { 'filter[id]': `<${below}` }), values: [below] })),
  limit: ({ role, scope }) => ({
    text: pageSql(entity, {
      role,
      where: `${limited[entity].common} and m.id < $1::int and ${scope}`,
      hasIncludes: true,
    }),
  }),
});

const totalKnown: Scenario = {
  work: 'machines, total known',
  unit: 'ratio',
  bars: barFor(['Admin'], 3),
  ...wholeRows,
  requests: () => [{ path: filteredPage('machines') }],
  limit: ({ role }) => ({ text: pageSql('machines', { role, where: limited.machines.common, hasIncludes: true }) }),
};

/** Page 2,000 of 100,000 machines. The limit selects the ids first and joins only 25 of them. */
const middlePage: Scenario = {
  work: 'machines, middle page (2,000 of 4,000)',
  unit: 'ratio',
  bars: barFor(['Admin'], 0.9),
  ...wholeRows,
  requests: ({ machines }) => [{ path: pageOf('machines', { page: String(middleOf(machines)) }) }],
  limit: ({ role, machines }) => ({
    text: pageSql('machines', { role, where: 'true', offset: (middleOf(machines) - 1) * 25 }),
  }),
};

const middleOf = (rows: number) => Math.max(1, Math.floor(rows / 50));

/** The limit searches with the same trigram index. */
const containsSearch = (entity: LimitedName, bar: number): Scenario => {
  const { searched, word } = entities[entity];
  return {
    work: `${entity}, contains-search`,
    unit: 'ratio',
    bars: barFor(['Admin'], bar),
    entity,
    ...wholeRows,
    requests: ({ samples }) =>
      (samples[entity] ?? []).map((row) => {
        const text = word(String(row[searched]));
        return { path: pageOf(entity, { [`filter[${searched}]`]: text }), values: [`%${text}%`] };
      }),
    limit: ({ role }) => ({ text: pageSql(entity, { role, where: `${limited[entity].searched} ilike $1` }) }),
  };
};

const oneMachine: Scenario = {
  work: 'one machine with five relations',
  unit: 'ratio',
  bars: barFor(['Admin'], 0.6),
  ...wholeRows,
  requests: ({ samples }) =>
    (samples.machines ?? []).map(({ id }) => ({
      path: `machines/${id}?include=fleet,location,type,tracker,client`,
      values: [id],
    })),
  limit: ({ role, scope }) => ({ text: machineSql(role, scope) }),
};

const createdFields = ['serial_number', 'fleet_id', 'type_id', 'stock_state', 'note'] as const;

/** Both sides return the created row. Serial numbers are not compared, since they differ between requests. */
function readCreated(body: string) {
  const { data } = JSON.parse(body) as { data: Record<string, unknown> };
  const { fleet_id, type_id, stock_state, note } = data;
  return { rows: [{ id: 'created', fleet_id, type_id, stock_state, note }], total: 1 };
}

const createMachine: Scenario = {
  work: 'create a machine',
  unit: 'ratio',
  bars: barFor(['Admin'], 0.5),
  requests: ({ samples }): BenchRequest[] => {
    const machines = samples.machines ?? [];
    const body = {
      serial_number: 'bench-%n',
      fleet_id: machines[0]?.fleet_id,
      type_id: machines.find((machine) => machine.type_id !== null)?.type_id,
      stock_state: 'in_stock',
      note: 'made by the bench',
    };
    return [{ method: 'POST', path: 'machines', body: JSON.stringify(body) }];
  },
  limit: () => ({
    text: `with made as (insert into machines (${createdFields.join(', ')}) values ($1, $2, $3, $4, $5) returning *)
      select row_to_json(made)::text as data, 1 as total from made`,
    fields: createdFields,
  }),
  read: readCreated,
  readLimit: readCreated,
};

const everyRole = Object.fromEntries(benchRoles.map((role) => [role, undefined])) as Record<BenchRole, undefined>;

/** Purges soft-deleted machines with a history. The limit only selects the row. */
const purge: Scenario = {
  work: 'permanent delete of one machine',
  unit: 'ms',
  bars: barFor(['Admin'], 10),
  rounds: 15,
  requests: ({ samples }) =>
    (samples.machines ?? []).slice(0, 15).map(({ id }) => ({
      method: 'DELETE',
      path: `machines/${id}?permanent=1`,
      before: { method: 'DELETE', path: `machines/${id}` },
      values: [id],
    })),
  limit: () => ({ text: rowsSql('select id from machines where id = $1::int') }),
  read: () => ({ rows: [], total: 0 }),
};

/** Scenarios that write come last, since they change the rows. */
export const machineScenarios: readonly Scenario[] = [
  countScenario('machines', { ...everyRole, Admin: 0.95, 'Country Manager': 0.9, 'Customer Admin': 0.9 }),
  totalKnown,
  middlePage,
  containsSearch('machines', 0.7),
  oneMachine,
  createMachine,
  purge,
];

export const crowdScenarios: readonly Scenario[] = (['clients', 'users'] as const).flatMap((entity) => [
  countScenario(entity, barFor(['Admin', 'Country Manager'], 0.9)),
  containsSearch(entity, 0.7),
]);
