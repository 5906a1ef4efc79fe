/** Scenarios on lists and single rows, measured under load and compared with the limit. */
import { rowsSql } from './fleetScenarios';
import { limitEntities, machineSql, pageSql } from './limits';
import { type BenchRequest, type BenchRole, barFor, benchRoles, type LimitEntityName, type Scenario } from './scenario';

/** An entity's list as its page requests it. The limit filters by `commonWhere` and `searchedColumn` (limits.ts). */
interface ListedEntity {
  sort: string;
  include: string;
  /** Fields of the included rows, by relation. */
  includedFields: Record<string, string>;
  commonFilter: readonly [field: string, value: string];
  searchedField: string;
  /** Returns a part of a value that few rows contain. */
  rareWordOf: (value: string) => string;
}

const entities: Record<LimitEntityName, ListedEntity> = {
  machines: {
    sort: 'serial_number',
    include: 'fleet,location',
    includedFields: {},
    commonFilter: ['stock_state', 'deployed'],
    searchedField: 'serial_number',
    rareWordOf: (value) => value.slice(-5),
  },
  users: {
    sort: 'last_name',
    include: 'roles,client',
    includedFields: { 'fields[roles]': 'id,name', 'fields[clients]': 'id,name' },
    commonFilter: ['is_staff', 'false'],
    searchedField: 'email',
    rareWordOf: (value) => value.slice(0, 12),
  },
  clients: {
    sort: 'name',
    include: 'country,fleetsCount,machinesCount,usersCount',
    includedFields: { 'fields[countries]': 'id,name' },
    commonFilter: ['sms_activation', 'false'],
    searchedField: 'name',
    rareWordOf: (value) => value.slice(-8),
  },
};

/**
 * Both sides print the same fields, except that the reason of a state is an enum for the limit and a sentence in the
 * API.
 */
const sameFields = { hasSameFields: true, translatedFields: ['status_reason'] } as const;

const pageOf = (entity: LimitEntityName, extraParameters: Record<string, string>): string =>
  `${entity}?${new URLSearchParams({ per_page: '25', sort: entities[entity].sort, ...extraParameters })}`;

/** The request of the list page, with a filter that most rows match. */
function filteredPage(entity: LimitEntityName, extraParameters: Record<string, string> = {}): string {
  const { include, includedFields, commonFilter } = entities[entity];
  return pageOf(entity, {
    [`filter[${commonFilter[0]}]`]: commonFilter[1],
    ...extraParameters,
    include,
    ...includedFields,
  });
}

/**
 * More filter values than the cache of totals holds. All are above every id, so each total is counted over all rows.
 */
const distinctIds = Array.from({ length: 20_000 }, (_, index) => 1_000_000 + index);

const countScenario = (entity: LimitEntityName, bars: Scenario['bars']): Scenario => ({
  title: `${entity}, counted again`,
  unit: 'ratio',
  bars,
  entity,
  ...sameFields,
  requests: () =>
    distinctIds.map((below) => ({ path: filteredPage(entity, { 'filter[id]': `<${below}` }), values: [below] })),
  limit: ({ role, scope }) => ({
    text: pageSql(entity, {
      role,
      where: `${limitEntities[entity].commonWhere} and m.id < $1::int and ${scope}`,
      hasIncludes: true,
    }),
  }),
});

const cachedTotal: Scenario = {
  title: 'machines, total known',
  unit: 'ratio',
  bars: barFor(['Admin'], 3),
  ...sameFields,
  requests: () => [{ path: filteredPage('machines') }],
  limit: ({ role }) => ({
    text: pageSql('machines', { role, where: limitEntities.machines.commonWhere, hasIncludes: true }),
  }),
};

/** Page 2,000 of 100,000 machines. The limit selects the ids first and joins only 25 of them. */
const middlePage: Scenario = {
  title: 'machines, middle page (2,000 of 4,000)',
  unit: 'ratio',
  bars: barFor(['Admin'], 0.9),
  ...sameFields,
  requests: ({ machines }) => [{ path: pageOf('machines', { page: String(middlePageOf(machines)) }) }],
  limit: ({ role, machines }) => ({
    text: pageSql('machines', { role, where: 'true', offset: (middlePageOf(machines) - 1) * 25 }),
  }),
};

const middlePageOf = (rows: number) => Math.max(1, Math.floor(rows / 50));

/** The limit searches with the same trigram index. */
const searchScenario = (entity: LimitEntityName, bar: number): Scenario => {
  const { searchedField, rareWordOf } = entities[entity];
  return {
    title: `${entity}, contains-search`,
    unit: 'ratio',
    bars: barFor(['Admin'], bar),
    entity,
    ...sameFields,
    requests: ({ samples }) =>
      (samples[entity] ?? []).map((row) => {
        const text = rareWordOf(String(row[searchedField]));
        return { path: pageOf(entity, { [`filter[${searchedField}]`]: text }), values: [`%${text}%`] };
      }),
    limit: ({ role }) => ({
      text: pageSql(entity, { role, where: `${limitEntities[entity].searchedColumn} ilike $1` }),
    }),
  };
};

const singleMachine: Scenario = {
  title: 'one machine with five relations',
  unit: 'ratio',
  bars: barFor(['Admin'], 0.6),
  ...sameFields,
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
  title: 'create a machine',
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

const allRolesWithoutBar = Object.fromEntries(benchRoles.map((role) => [role, undefined])) as Record<
  BenchRole,
  undefined
>;

/** Purges soft-deleted machines with a history. The limit only selects the row. */
const purgeMachine: Scenario = {
  title: 'permanent delete of one machine',
  unit: 'ms',
  bars: barFor(['Admin'], 10),
  rounds: 15,
  requests: ({ samples }) =>
    (samples.machines ?? []).slice(0, 15).map(({ id }) => ({
      method: 'DELETE',
      path: `machines/${id}?permanent=1`,
      prerequisite: { method: 'DELETE', path: `machines/${id}` },
      values: [id],
    })),
  limit: () => ({ text: rowsSql('select id from machines where id = $1::int') }),
  read: () => ({ rows: [], total: 0 }),
};

/** Scenarios that write come last, since they change the rows. */
export const machineScenarios: readonly Scenario[] = [
  countScenario('machines', { ...allRolesWithoutBar, Admin: 0.95, 'Country Manager': 0.9, 'Customer Admin': 0.9 }),
  cachedTotal,
  middlePage,
  searchScenario('machines', 0.7),
  singleMachine,
  createMachine,
  purgeMachine,
];

export const crowdScenarios: readonly Scenario[] = (['clients', 'users'] as const).flatMap((entity) => [
  countScenario(entity, barFor(['Admin', 'Country Manager'], 0.9)),
  searchScenario(entity, 0.7),
]);
