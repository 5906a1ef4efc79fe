/** Figures of the dashboard. Each is defined by a list, and its link opens exactly the rows that it counts. */
import type { StateName } from '../entities/machines';
import { runOutcomes } from '../entities/runs';
import { failureDays } from './inbox';

export const counters = ['total_users', 'new_users', 'inactive_users', 'total_companies', 'new_companies'] as const;
export type Counter = (typeof counters)[number];

/**
 * Days for which a user or client counts as new, or days since the last log-in after which a user counts as inactive.
 */
export const counterDays: Record<Counter, number> = {
  total_users: 0,
  new_users: 30,
  inactive_users: 90,
  total_companies: 0,
  new_companies: 30,
};

/** A list with filters, in the list dialect. */
export interface FilteredList {
  resource: 'users' | 'clients' | 'machines' | 'alerts' | 'trackers' | 'imports' | 'runs';
  filter: Record<string, string | boolean>;
  /** Sorts by this field, ascending. */
  sort?: string;
}

/** Returns the list behind a counter on the given day (`YYYY-MM-DD`, UTC). */
export function counterList(counter: Counter, today: string): FilteredList {
  const day = new Date(Date.parse(`${today}T00:00:00Z`) - counterDays[counter] * 86_400_000).toISOString().slice(0, 10);
  const lists: Record<Counter, FilteredList> = {
    total_users: { resource: 'users', filter: {} },
    new_users: { resource: 'users', filter: { created_at: `>=${day}` } },
    inactive_users: { resource: 'users', filter: { activity: 'inactive' } },
    total_companies: { resource: 'clients', filter: {} },
    new_companies: { resource: 'clients', filter: { created_at: `>=${day}` } },
  };
  return lists[counter];
}

/** Returns the list of machines in a state. Dummies are not counted anywhere. */
export const stateList = (state: StateName): FilteredList => ({
  resource: 'machines',
  filter: { status: state, is_dummy: false },
});

/** The figures under "Needs attention". */
export const attentionFigures = ['alerts', 'silent', 'service_due', 'missed_cleaning'] as const;
export type AttentionFigure = (typeof attentionFigures)[number];

/** Hours of silence after which a deployed machine needs attention. */
export const silentHours = 24;

const inUseFilter = { stock_state: 'deployed', is_dummy: false };

/** Returns the list behind a figure. Missed cleaning has none; it links to the cleaning calendar of `missedDay`. */
export function attentionList(attention: Exclude<AttentionFigure, 'missed_cleaning'>, now: Date): FilteredList {
  const silentSince = new Date(Math.floor(now.getTime() / 60_000) * 60_000 - silentHours * 3_600_000).toISOString();
  const lists: Record<typeof attention, FilteredList> = {
    alerts: { resource: 'alerts', filter: { state: 'open' } },
    silent: { resource: 'machines', filter: { ...inUseFilter, status: 'Offline', status_since: `<=${silentSince}` } },
    service_due: {
      resource: 'machines',
      filter: { ...inUseFilter, next_service_due: `<=${now.toISOString().slice(0, 10)}` },
      sort: 'next_service_due',
    },
  };
  return lists[attention];
}

/**
 * Figures of the installation: devices that send messages but are not assigned to a machine, and imports that failed
 * recently.
 */
export const installationCounts = ['devices', 'imports'] as const;

export function installationList(count: (typeof installationCounts)[number], now: Date): FilteredList {
  const failedSince = new Date(now.getTime() - failureDays * 86_400_000).toISOString().slice(0, 10);
  const lists: Record<typeof count, FilteredList> = {
    devices: { resource: 'trackers', filter: { assigned: false, messages: '>0' } },
    imports: { resource: 'imports', filter: { state: 'failed', created_at: `>=${failedSince}` } },
  };
  return lists[count];
}

/** Kinds of jobs that send something to people. */
export const sendingJobs = ['mail', 'alert_message', 'report_message'] as const;

/** Returns the last complete day (UTC), on which planned cleaning was either done or missed. */
export const missedDay = (now: Date): string => new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);

/** Order in which the dashboard shows states, from busy to silent. */
export const stateOrder: readonly StateName[] = ['Cleaning', 'Charging', 'Parked', 'Online', 'Offline'];

/** Lengths in days of the period for the fleet's performance. */
export const performanceDays = ['7', '30', '90'] as const;

/** Results of runs, from best to worst; `unknown` stands for runs without an outcome. */
export const runResults = [...runOutcomes, 'unknown'] as const;
export type RunResult = (typeof runResults)[number];

interface RunListOptions {
  /** Days (UTC) on which the runs began, both inclusive. */
  from: string;
  to: string;
  results?: readonly RunResult[];
  locationId?: number;
}

/** Returns the list behind a number of runs, without superseded ones. */
export function runList({ from, to, results, locationId }: RunListOptions): FilteredList {
  const end = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
  return {
    resource: 'runs',
    filter: {
      started_at: `>=${from}T00:00:00Z,<${end}T00:00:00Z`,
      superseded_by: 'null',
      ...(results && { outcome: results.map((result) => (result === 'unknown' ? 'null' : result)).join(',') }),
      ...(locationId !== undefined && { location_id: String(locationId) }),
    },
  };
}
