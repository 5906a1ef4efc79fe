/** The reports: columns, levels, parameters and permissions of each. Shared by server and pages. */
import type { ReportName } from '../shared/reportNames';
import { maxCalendarDays, type SiteDayState } from './calendar';

/**
 * Format of a value. `outcome` and `source` are those of a run; `time` is in seconds; `money` and `rate` are exact
 * decimals in EUR; `names` is a list of texts; `day` is `YYYY-MM-DD`.
 */
export type ColumnKind =
  | 'text'
  | 'names'
  | 'result'
  | 'outcome'
  | 'source'
  | 'day'
  | 'count'
  | 'percent'
  | 'area'
  | 'time'
  | 'money'
  | 'rate';

export interface ReportColumn {
  kind: ColumnKind;
  /** Permission code required to see the column. */
  read?: string;
}

export interface Report {
  /** Permission codes required to read the report. Exporting it also requires `exportPermission`. */
  permissions: readonly string[];
  exportPermission: string;
  /** `period`: from one day to another, both included. `date`: from today to a day ahead. */
  timeframe: 'period' | 'date';
  /** Entity that the figures come from; a saved view of it can filter the report. */
  rows: 'locations' | 'machines';
  /** Maximum length of the period, in days. */
  maxDays: number;
  /** Levels of grouping, from the widest to single rows. */
  levels: readonly ReportLevel[];
  columns: Record<string, ReportColumn>;
}

export const reportLevels = ['client', 'fleet', 'location', 'urgency', 'machine', 'day', 'run'] as const;
export type ReportLevel = (typeof reportLevels)[number];
export const urgencies = ['overdue', 'due'] as const;
export type Urgency = (typeof urgencies)[number];

/** Filters of a report. */
export const reportFilters = ['client_id', 'fleet_id', 'location_id', 'view_id'] as const;
export type ReportFilter = (typeof reportFilters)[number];

/** Maximum number of machines that a proof of cleaning names on the lines of clients and on its total. */
export const maxNamedMachines = 10_000;

/** Default number of days that the service report looks ahead. */
export const daysAhead = 30;

export const reports = {
  cleaning: {
    permissions: ['locations.list', 'machines.list'],
    exportPermission: 'locations.export',
    timeframe: 'period',
    rows: 'locations',
    maxDays: maxCalendarDays,
    levels: ['client', 'location', 'day'],
    columns: {
      result: { kind: 'result' },
      planned_days: { kind: 'count' },
      cleaned_days: { kind: 'count' },
      partly_days: { kind: 'count' },
      missed_days: { kind: 'count' },
      extra_days: { kind: 'count' },
      fulfilment: { kind: 'percent' },
      planned_area_m2: { kind: 'area' },
      area_m2: { kind: 'area' },
      reported_area_m2: { kind: 'area' },
      cleaning: { kind: 'time' },
      machines: { kind: 'names' },
    },
  },
  runs: {
    permissions: ['runs.list', 'locations.list'],
    exportPermission: 'runs.export',
    timeframe: 'period',
    rows: 'locations',
    maxDays: maxCalendarDays,
    levels: ['client', 'location', 'run'],
    columns: {
      machine: { kind: 'text', read: 'machines.list' },
      floor: { kind: 'text', read: 'floors.list' },
      runs: { kind: 'count' },
      planned_area_m2: { kind: 'area' },
      area_m2: { kind: 'area' },
      coverage: { kind: 'percent' },
      outcome: { kind: 'outcome' },
      completed: { kind: 'percent' },
      interruptions: { kind: 'count' },
      cleaning: { kind: 'time' },
      source: { kind: 'source' },
    },
  },
  costs: {
    permissions: ['machines.list', 'machines.finance'],
    exportPermission: 'machines.export',
    timeframe: 'period',
    rows: 'machines',
    maxDays: 3700,
    levels: ['client', 'fleet', 'machine'],
    columns: {
      type: { kind: 'text' },
      count: { kind: 'count' },
      price: { kind: 'money' },
      book_value: { kind: 'money' },
      depreciation: { kind: 'money' },
      service: { kind: 'money' },
      cost: { kind: 'money' },
      cleaning: { kind: 'time' },
      area_m2: { kind: 'area' },
      per_hour: { kind: 'money' },
      per_m2: { kind: 'rate' },
    },
  },
  service: {
    permissions: ['machines.list'],
    exportPermission: 'machines.export',
    timeframe: 'date',
    rows: 'machines',
    maxDays: 3650,
    levels: ['urgency', 'machine'],
    columns: {
      count: { kind: 'count' },
      type: { kind: 'text' },
      client: { kind: 'text', read: 'clients.list' },
      location: { kind: 'text', read: 'locations.list' },
      contact: { kind: 'text', read: 'locations.list' },
      due: { kind: 'day' },
      days_left: { kind: 'count' },
      hours_left: { kind: 'count' },
      plan: { kind: 'text' },
      forecast: { kind: 'text' },
      maintenance_cost: { kind: 'money', read: 'machines.finance' },
    },
  },
} as const satisfies Record<ReportName, Report>;

/** Names of the columns of all reports, which have labels in the texts. */
export type ReportColumnName = { [N in ReportName]: keyof (typeof reports)[N]['columns'] }[ReportName];
export const reportColumns = (report: ReportName): Record<string, ReportColumn> => reports[report].columns;

/** A line of a report: a group, a row, or the total. A missing value is `null`. */
export interface ReportLine extends Record<string, unknown> {
  level: ReportLevel | 'total';
  id: number | null;
  /**
   * Name of the group or machine, the day, or the urgency. `null` for the total, and for rows out of the reader's
   * scope.
   */
  name: string | null;
}

/**
 * Response of `GET /reports/{report}` with one page of lines (1,000 unless `per_page` says less). Groups precede their
 * members, and the total is the last line of every page.
 */
export interface ReportContent {
  report: ReportName;
  /** The lowest level that has lines. */
  by: ReportLevel;
  /** Local days of the sites, both included. Forecasts begin with the present day. */
  from: string;
  to: string;
  /** Client, fleet and location that limit the report. A fleet or location comes with its client. */
  client: { id: number; name: string; image: string | null } | null;
  fleet: { id: number; name: string } | null;
  location: { id: number; name: string } | null;
  /** Saved view whose filters limit the report. */
  view: { id: number; name: string } | null;
  /** Columns that the reader may see, in order. */
  columns: string[];
  lines: ReportLine[];
}

/** Possible values of a result. */
export type ReportResult = SiteDayState;
