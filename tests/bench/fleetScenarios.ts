/**
 * Scenarios on the whole fleet: dashboard, map, frequent words, computed sorts, reports, files. Measured sequentially.
 * The limit computes the expected response from raw rows instead of stored sums.
 */
import Papa from 'papaparse';
import { bookValueSql, limitEntities, yearsOfUseJoin } from './limits';
import type { ListResult, ResultRow } from './listResults';
import { type BenchContext, type BenchRole, barFor, benchRoles, type LimitContext, type Scenario } from './scenario';

const financeRoles: readonly BenchRole[] = ['Admin', 'Country Manager', 'Partner'];

/** Rows as `json_agg` prints them. */
export const rowsSql = (rows: string, total = 'count(*)') =>
  `select coalesce(json_agg(r), '[]')::text as data, (${total})::int as total from (${rows}) r`;

const visibleWhere = ({ scope }: LimitContext) => `m.deleted_at is null and ${scope}`;

/** Ids of a page of machines, and the total. */
const idsSql = (
  context: LimitContext,
  { joins = '', where = 'true', order = limitEntities.machines.order, limit = 25 },
) => `
  with found as (select m.id, row_number() over (order by ${order}) as place from machines m ${joins}
    where ${visibleWhere(context)} and ${where})
  select coalesce((select json_agg(json_build_object('id', id) order by place) from found where place <= ${limit}), '[]')::text as data,
  (select count(*) from found)::int as total`;

const dataOf = <T>(body: string) => (JSON.parse(body) as { data: T }).data;
const sumRow = (row: Record<string, unknown>): ListResult => ({ rows: [{ ...row, id: 'sum' }], total: 1 });

const dashboard: Scenario = {
  title: 'dashboard',
  unit: 'ms',
  bars: barFor(benchRoles, 100),
  requests: () => [{ path: 'dashboard' }],
  limit: (context) => ({
    text: rowsSql(`select s.status as id, count(*)::int as n from machines m join machines_state s on s.id = m.id
      where ${visibleWhere(context)} and not m.is_dummy group by 1 order by 1`),
  }),
  read: (body) => {
    const { states } = dataOf<{ states: Record<string, number> }>(body);
    const rows = Object.entries(states).flatMap(([id, n]) => (n > 0 ? [{ id, n }] : []));
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    return { rows, total: rows.length };
  },
};

const europeMap: Scenario = {
  title: 'map, Europe in view',
  unit: 'ms',
  bars: barFor(benchRoles, 100),
  isFirstCounted: true,
  requests: () => [{ path: 'machines/map?bbox=-25,34,45,72&zoom=4' }],
  limit: (context) => ({
    text: rowsSql(`select 'sum' as id, count(*)::int as n from machines m join machines_state s on s.id = m.id
      where ${visibleWhere(context)} and s.longitude between -25 and 45 and s.latitude between 34 and 72`),
  }),
  read: (body) => {
    const { clusters, points } = dataOf<{ clusters: { count: number }[]; points: unknown[] }>(body);
    return sumRow({ n: clusters.reduce((sum, { count }) => sum + count, points.length) });
  },
};

/** Search words that thousands of machines contain. The trigram indexes find only the longer one. */
const searchWords = { word: 'AQ', 'longer word': 'AQ45' };
const searchJoins = 'left join types t on t.id = m.type_id left join locations l on l.id = m.location_id';
const containsWhere = (word: string) =>
  `(${[
    'm.serial_number',
    'm.reference_number',
    'm.inventory_number',
    't.name',
    'm.custom_type',
    'l.name',
    'l.address',
    'l.city',
  ]
    .map((column) => `${column} ilike '%${word}%'`)
    .join(' or ')})`;

const commonWordSearches = Object.entries(searchWords).map(
  ([name, word]): Scenario => ({
    title: `search for a common ${name}`,
    unit: 'ms',
    bars: barFor(benchRoles, 150),
    requests: () => [{ path: `machines?filter[search]=${word}&per_page=25` }],
    limit: (context) => ({ text: idsSql(context, { joins: searchJoins, where: containsWhere(word) }) }),
  }),
);

const globalSearches = Object.entries(searchWords).map(
  ([name, word]): Scenario => ({
    title: `search everywhere for a common ${name}`,
    unit: 'ms',
    bars: barFor(benchRoles, 150),
    requests: () => [{ path: `search?q=${word}` }],
    limit: (context) => ({ text: idsSql(context, { joins: searchJoins, where: containsWhere(word), limit: 5 }) }),
    read: (body) => {
      const results = dataOf<{ resource: string; rows: ResultRow[] }[]>(body);
      const rows = results.find(({ resource }) => resource === 'machines')?.rows ?? [];
      return { rows, total: rows.length };
    },
    readLimit: (body) => {
      const rows = dataOf<ResultRow[]>(body);
      return { rows, total: rows.length };
    },
  }),
);

const bookValueSort: Scenario = {
  title: 'sort by book value',
  unit: 'ms',
  bars: barFor(financeRoles, 150),
  requests: () => [{ path: 'machines?sort=-book_value&per_page=25' }],
  limit: (context) => ({
    text: idsSql(context, { joins: yearsOfUseJoin, order: `${bookValueSql} desc nulls last, m.id` }),
  }),
};

/** The column has no index, since its value changes with every message (`volatile` in the declaration). */
const lastSeenSort: Scenario = {
  title: 'sort by last seen',
  unit: 'ms',
  bars: barFor(benchRoles, 150),
  requests: () => [{ path: 'machines?sort=-last_seen&per_page=25' }],
  limit: (context) => ({
    text: idsSql(context, {
      joins: 'join machines_state s on s.id = m.id',
      order: 's.last_seen desc nulls last, m.id desc',
    }),
  }),
};

/** The total line of a report, which covers all its pages. */
function readTotalLine(body: string, names: readonly string[]): ListResult {
  const { lines } = dataOf<{ lines: Record<string, unknown>[] }>(body);
  const line = lines.find(({ level }) => level === 'total') ?? {};
  return sumRow(Object.fromEntries(names.map((name) => [name, line[name]])));
}

const monthWhere = (column: string, { month }: BenchContext) =>
  `${column} >= date '${month}-01' and ${column} < date '${month}-01' + interval '1 month'`;

/** Seconds of cleaning in a month. On a day with reported runs, their seconds replace those of the timeline. */
const cleaningSql = (context: LimitContext) =>
  `(select sum(coalesce(d.run_cleaning, d.cleaning)) from machine_days d join machines m on m.id = d.machine_id
    where ${visibleWhere(context)} and not m.is_dummy and ${monthWhere('d.day', context)})::bigint as cleaning`;

const costsReport: Scenario = {
  title: 'costs of a month',
  unit: 'ms',
  bars: barFor(financeRoles, 1000),
  requests: ({ month }) => [{ path: `reports/costs?month=${month}` }],
  limit: (context) => ({
    text: rowsSql(`select 'sum' as id, count(*)::int as count, sum(m.price)::text as price,
      ${cleaningSql(context)} from machines m where ${visibleWhere(context)} and not m.is_dummy`),
  }),
  read: (body) => readTotalLine(body, ['count', 'price', 'cleaning']),
};

/**
 * Not compared for roles that are limited to sites: the limit also counts a machine's days at a former site, which may
 * be out of scope.
 */
const cleaningReport: Scenario = {
  title: 'proof of cleaning, all clients, a month',
  unit: 'ms',
  rolesNotCompared: ['Site Manager', 'Operator'],
  bars: barFor(benchRoles, 1000),
  requests: ({ month }) => [{ path: `reports/cleaning?month=${month}` }],
  limit: (context) => ({
    text: rowsSql(`select 'sum' as id, ${cleaningSql(context)}`),
  }),
  read: (body) => readTotalLine(body, ['cleaning']),
};

/** Downloads the columns of the list as a file, compared with COPY of the same columns. */
const csvExport: Scenario = {
  title: 'machines as csv, beside COPY',
  unit: 'times',
  bars: barFor(['Admin'], 2),
  rounds: 3,
  requests: () => [{ path: 'machines/export?format=csv' }],
  limit: (context) => {
    const order = limitEntities.machines.order;
    const rows = `select m.serial_number as "Serial number", s.status as "Status",
      coalesce(t.name, m.custom_type, '') as "Machine type", coalesce(l.name, '') as "Location", f.name as "Fleet",
      coalesce(k.refno || ' ' || k.tracker_or_serial, '') as "Tracker",
      coalesce(to_char(s.last_seen at time zone 'UTC', 'DD.MM.YYYY HH24:MI:SS'), '') as "Last seen"
      from machines m join machines_state s on s.id = m.id join fleets f on f.id = m.fleet_id
      left join types t on t.id = m.type_id left join locations l on l.id = m.location_id
      left join trackers k on k.id = m.tracker_id where ${visibleWhere(context)} order by ${order}`;
    return { text: rowsSql(`select r."Serial number" as id, r.* from (${rows}) r`), copy: rows };
  },
  read: (body) => {
    const { data } = Papa.parse<Record<string, string>>(body, { header: true, skipEmptyLines: true });
    return { rows: data.map((row) => ({ ...row, id: row['Serial number'] ?? '' })), total: data.length };
  },
};

export const fleetScenarios: readonly Scenario[] = [
  dashboard,
  europeMap,
  ...commonWordSearches,
  ...globalSearches,
  bookValueSort,
  lastSeenSort,
  costsReport,
  cleaningReport,
  csvExport,
];
