/** Requests of pages on a fleet of a million machines: one declaration per request, with the roles that may send it. */
import type { BenchRole } from './scenario';
import { benchRoles } from './scenario';

export interface MillionRequest {
  title: string;
  /** Paths below `/api/v1/`, requested in turn: different pages, machines and search words. */
  paths(context: RequestContext): readonly string[];
  roles: readonly BenchRole[];
  /** Whether the response is a file. Files are timed until the first byte, since the rest is streamed. */
  isFile?: boolean;
}

export interface RequestContext {
  /** The month that has the demo's history: `2026-11`. */
  month: string;
  /** Ids of machines in the role's scope, from different pages of the list. */
  machineIds: readonly number[];
  /** Number of machines in the role's scope. */
  machines: number;
}

const perPage = 25;
const financeRoles: readonly BenchRole[] = ['Admin', 'Country Manager', 'Partner'];
const userManagers = benchRoles.filter((role) => role !== 'Operator' && role !== 'Site Manager');
const machinesPath = `machines?per_page=${perPage}&include=fleet,location,type,tracker`;

/** Page numbers spread over the whole list. */
const pagesOf = ({ machines }: RequestContext) =>
  [0, 0.1, 0.5, 0.99].map((share) => Math.floor((share * machines) / perPage) + 1);

export const millionRequests: readonly MillionRequest[] = [
  { title: 'dashboard', roles: benchRoles, paths: () => ['dashboard'] },
  { title: 'inbox', roles: benchRoles, paths: () => ['inbox'] },
  { title: 'machines, first page', roles: benchRoles, paths: () => [machinesPath] },
  {
    title: 'machines, pages of the whole list',
    roles: benchRoles,
    paths: (context) => pagesOf(context).map((page) => `${machinesPath}&page=${page}`),
  },
  {
    title: 'machines, sorted',
    roles: benchRoles,
    paths: () =>
      ['-serial_number', 'status', '-last_seen', 'fleet.name', 'battery'].map((sort) => `${machinesPath}&sort=${sort}`),
  },
  { title: 'machines, by book value', roles: financeRoles, paths: () => [`${machinesPath}&sort=-book_value`] },
  {
    title: 'machines, filtered',
    roles: benchRoles,
    paths: () =>
      ['filter[status]=cleaning', 'filter[stock_state]=in_stock,retired', 'filter[battery]=<20'].map(
        (filter) => `${machinesPath}&${filter}`,
      ),
  },
  {
    title: 'machines, searched',
    roles: benchRoles,
    paths: () => ['AQ', 'AQ45-2', 'Hamburg', 'no such machine'].map((word) => `${machinesPath}&filter[search]=${word}`),
  },
  {
    title: 'machines, numbers beside the filters',
    roles: benchRoles,
    paths: () => ['machines/facets'],
  },
  {
    title: 'one machine',
    roles: benchRoles,
    paths: ({ machineIds }) =>
      machineIds.slice(0, 20).map((id) => `machines/${id}?include=fleet,location,type,tracker`),
  },
  {
    title: 'statistics of a machine',
    roles: benchRoles,
    paths: ({ machineIds }) => machineIds.slice(0, 20).map((id) => `machines/${id}/statistics?group=day`),
  },
  { title: 'map of Europe', roles: benchRoles, paths: () => ['machines/map?bbox=-25,34,45,72&zoom=4'] },
  { title: 'map of a city', roles: benchRoles, paths: () => ['machines/map?bbox=13.2,52.4,13.6,52.6&zoom=11'] },
  {
    title: 'search everywhere',
    roles: benchRoles,
    paths: () => ['AQ', 'Berlin', 'AQ45-2'].map((q) => `search?q=${q}`),
  },
  { title: 'clients', roles: benchRoles.slice(0, 5), paths: () => [`clients?per_page=${perPage}&include=country`] },
  {
    title: 'users',
    roles: userManagers,
    paths: () => [`users?per_page=${perPage}&include=roles,client`, `users?per_page=${perPage}&filter[search]=an`],
  },
  { title: 'alerts', roles: benchRoles, paths: () => [`alerts?per_page=${perPage}&sort=-opened_at`] },
  { title: 'report: costs of a month', roles: financeRoles, paths: ({ month }) => [`reports/costs?month=${month}`] },
  {
    title: 'report: proof of cleaning of a month',
    roles: benchRoles,
    paths: ({ month }) => [`reports/cleaning?month=${month}`],
  },
  {
    title: 'machines as csv, first byte',
    roles: benchRoles.slice(0, 4),
    paths: () => ['machines/export?format=csv'],
    isFile: true,
  },
  {
    title: 'machines as xlsx, first byte',
    roles: benchRoles.slice(0, 4),
    paths: () => ['machines/export?format=xlsx'],
    isFile: true,
  },
];
