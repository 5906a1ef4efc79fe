/** The reports: columns, levels, parameters and permissions of each. Shared by server and pages. */
import type { ReportName } from '../shared/reportNames';
import { maxCalendarDays, type SiteDayState } from './calendar';

/**
 * Format of a value: `outcome` and `source` of a run, `time` in seconds, `money` and `rate` as exact decimals of EUR,
 * `names` as a list of texts, `day` as `YYYY-MM-DD`.
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
  /** Permission codes required to read the report, and the one that its file needs in addition. */
  permissions: readonly string[];
  exportPermission: string;
  /** A period of days, both ends included, or the last day of a look ahead. */
  timeframe: 'period' | 'date';
  /** The entity its figures come from; a saved view of that entity narrows it. */
  rows: 'locations' | 'machines';
  /** Maximum length of the period or look ahead, in days. */
  maxDays: number;
  /** Levels of grouping, from the whole to the single row. */
  levels: readonly ReportLevel[];
  columns: Record<string, ReportColumn>;
}

export const reportLevels = ['client', 'fleet', 'location', 'urgency', 'machine', 'day', 'run'] as const;
export type ReportLevel = (typeof reportLevels)[number];
export const urgencies = ['overdue', 'due'] as const;
export type Urgency = (typeof urgencies)[number];

/** The filters of a report. */
export const reportFilters = ['client_id', 'fleet_id', 'location_id', 'view_id'] as const;
export type ReportFilter = (typeof reportFilters)[number];

/** Default look ahead of the service due, in days. */
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

/** Names of all columns of all reports, for their labels. */
export type ReportColumnName = { [N in ReportName]: keyof (typeof reports)[N]['columns'] }[ReportName];
export const reportColumns = (report: ReportName): Record<string, ReportColumn> => reports[report].columns;

/** A line of a report: a group, a row, or the total. A value that a line lacks is `null`. */
export interface ReportLine extends Record<string, unknown> {
  level: ReportLevel | 'total';
  id: number | null;
  /**
   * The name of the group or machine; the day; the urgency. `null` for the total and for names out of the reader's
   * reach.
   */
  name: string | null;
}

/**
 * Response of `GET /reports/{report}`, with one page of its lines (1,000 unless `per_page` says less). A group precedes
 * its members, the total closes every page.
 */
export interface ReportContent {
  report: ReportName;
  /** The deepest level with lines. */
  by: ReportLevel;
  /** Local days of the sites, both included; for a look ahead the present day and the last one. */
  from: string;
  to: string;
  /** The client, fleet and location that narrow the report; with a fleet or location its client too. */
  client: { id: number; name: string; image: string | null } | null;
  fleet: { id: number; name: string } | null;
  location: { id: number; name: string } | null;
  /** The saved view whose filters narrow the report. */
  view: { id: number; name: string } | null;
  /** The columns that the reader may see, in their order. */
  columns: string[];
  lines: ReportLine[];
}

/** The words that a result can have. */
export type ReportResult = SiteDayState;
