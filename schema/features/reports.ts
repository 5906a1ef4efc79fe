/**
 * The reports: what each of them shows, how it is grouped, what it asks for and who may have it. Both sides read it
 * here.
 */
import type { ReportName } from '../shared/reportNames';
import { mostCalendarDays, type SiteDayState } from './calendar';

/**
 * How a value is carried and written: `time` in seconds, `money` and `rate` as exact decimals of EUR, `names` as a list
 * of texts, `day` as `YYYY-MM-DD`.
 */
export type ColumnKind = 'text' | 'names' | 'result' | 'day' | 'count' | 'percent' | 'area' | 'time' | 'money' | 'rate';

export interface ReportColumn {
  kind: ColumnKind;
  /** Permission code without which the column is not there. */
  read?: string;
}

export interface Report {
  /** Permission codes without which the report does not open, and the one that its file takes beside them. */
  needs: readonly string[];
  exports: string;
  /** A period of days, both ends included, or the last day to look ahead to. */
  asks: 'period' | 'date';
  /** What its figures are drawn from: a saved view of these rows narrows it. */
  rows: 'locations' | 'machines';
  /** The longest period, or how far ahead, in days. */
  most: number;
  /** How lines are grouped, from the whole to the single row. */
  levels: readonly ReportLevel[];
  columns: Record<string, ReportColumn>;
}

export const reportLevels = ['client', 'fleet', 'location', 'urgency', 'machine', 'day'] as const;
export type ReportLevel = (typeof reportLevels)[number];
export const urgencies = ['overdue', 'due'] as const;
export type Urgency = (typeof urgencies)[number];

/** What a report can be narrowed down to. */
export const reportFilters = ['client_id', 'fleet_id', 'location_id', 'view_id'] as const;
export type ReportFilter = (typeof reportFilters)[number];

/** Days that the service due looks ahead, unless asked otherwise. */
export const daysAhead = 30;

export const reports = {
  cleaning: {
    needs: ['locations.list', 'machines.list'],
    exports: 'locations.export',
    asks: 'period',
    rows: 'locations',
    most: mostCalendarDays,
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
      cleaning: { kind: 'time' },
      machines: { kind: 'names' },
    },
  },
  costs: {
    needs: ['machines.list', 'machines.finance'],
    exports: 'machines.export',
    asks: 'period',
    rows: 'machines',
    most: 3700,
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
    needs: ['machines.list'],
    exports: 'machines.export',
    asks: 'date',
    rows: 'machines',
    most: 3650,
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

/** Every column of every report, for their labels. */
export type ReportColumnName = { [N in ReportName]: keyof (typeof reports)[N]['columns'] }[ReportName];
export const reportColumns = (report: ReportName): Record<string, ReportColumn> => reports[report].columns;

/** A line of a report: a group, a row, or the total of all. A value that a line does not have is `null`. */
export interface ReportLine extends Record<string, unknown> {
  level: ReportLevel | 'total';
  id: number | null;
  /**
   * The name of the group or machine; the day; the urgency. `null` for the total and for a name that the reader does
   * not reach.
   */
  name: string | null;
}

/** `GET /reports/{report}`. Groups stand before what they hold, the total is the last line. */
export interface ReportAnswer {
  report: ReportName;
  /** The level down to which there are lines. */
  by: ReportLevel;
  /** Local days of the sites, both included; of a look ahead the present day and the last one. */
  from: string;
  to: string;
  /**
   * Whose the report is: the client, fleet and location that it was narrowed down to, the client of the others
   * included.
   */
  client: { id: number; name: string; image: string | null } | null;
  fleet: { id: number; name: string } | null;
  location: { id: number; name: string } | null;
  /** The saved view whose filters narrow it down. */
  view: { id: number; name: string } | null;
  /** The columns that the reader may see, in their order. */
  columns: string[];
  lines: ReportLine[];
}

/** The words that a result can have. */
export type ReportResult = SiteDayState;
