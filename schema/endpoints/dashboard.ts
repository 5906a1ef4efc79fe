/** Calls for the figures of the dashboard. */
import Type, { type Static } from 'typebox';
import { choice } from '../dsl/field';
import { stateNames } from '../entities/machines';
import { attentionFigures, counters, performanceDays, runResults } from '../features/dashboard';
import {
  countSchema,
  dataOf,
  daySchema,
  defineEndpoints,
  each,
  idSchema,
  instantSchema,
  nullable,
  oneOf,
  reported_area_m2,
} from './endpoint';

const secondsSchema = Type.Number({ minimum: 0 });
/** Work of machines, without dummies, on one of their local days, in seconds and m2. */
const WorkSchema = Type.Object({ cleaning: secondsSchema, area_m2: Type.Number({ minimum: 0 }), reported_area_m2 });
export type WorkFigures = Static<typeof WorkSchema>;
/** Key figures within the caller's scope. */
const DashboardSchema = Type.Object({
  ...each(counters, countSchema),
  states: Type.Object(each(stateNames, countSchema)),
  attention: Type.Object(each(attentionFigures, countSchema)),
  /** Today so far, and all of the same weekday a week ago. */
  work: Type.Object({ today: WorkSchema, week_ago: WorkSchema }),
  /** In seconds, for the last seven days. */
  autonomy: Type.Object({ robotic: secondsSchema, manual: secondsSchema }),
  /** Whether a role of the caller covers any row. Otherwise, a client, location or machine must be linked first. */
  is_linked: Type.Boolean(),
});
export type DashboardFigures = Static<typeof DashboardSchema>;

/** `cleaning`, `robotic` and `manual` in seconds. */
const performanceFigures = {
  cleaning: secondsSchema,
  robotic: secondsSchema,
  manual: secondsSchema,
  area_m2: Type.Number(),
  reported_area_m2,
  /** Based on the current cleaning plans of the sites. */
  planned_area_m2: Type.Number(),
};
const shareSchema = Type.Number({ minimum: 0, maximum: 1, description: 'Share of the planned area that was cleaned' });
/** If several locations have the same name, their address follows in parentheses. */
const namedRow = { id: idSchema, name: Type.String() };
const SiteShareSchema = Type.Object({ ...namedRow, share: shareSchema });
export type SiteShare = Static<typeof SiteShareSchema>;
const ComparedRowSchema = Type.Object({
  ...namedRow,
  share: nullable(shareSchema),
  area_m2: Type.Number(),
  reported_area_m2,
  area_before_m2: Type.Number(),
  robotic: secondsSchema,
  manual: secondsSchema,
  trend: Type.Array(Type.Number(), { description: 'Square metres of each day' }),
});
export type ComparedRow = Static<typeof ComparedRowSchema>;
/** Performance within the caller's scope, without dummies. Days are local to each machine's location. */
const PerformanceSchema = Type.Object({
  from: daySchema,
  to: daySchema,
  /** Whether older days are missing because the demo is still loading its history. */
  is_incomplete: Type.Boolean(),
  days: Type.Array(Type.Object({ day: daySchema, ...performanceFigures })),
  /** Sums of the preceding period of the same length. */
  before: Type.Object(performanceFigures),
  /** By machine type: mean cleaning time per deployed machine and day, in seconds. */
  types: Type.Array(
    Type.Object({
      ...namedRow,
      optimal_cleaning_time: nullable(Type.Integer()),
      machines: countSchema,
      cleaning: secondsSchema,
      cleaning_before: secondsSchema,
    }),
  ),
  /** Sites with a position, and the share of today's plan that they have completed; null without a plan. */
  today: Type.Array(
    Type.Object({ ...namedRow, latitude: Type.Number(), longitude: Type.Number(), share: nullable(shareSchema) }),
  ),
  best: Type.Array(SiteShareSchema),
  worst: Type.Array(SiteShareSchema),
  compared: Type.Object({ by: oneOf(['clients', 'locations']), rows: Type.Array(ComparedRowSchema) }),
});
export type FleetPerformance = Static<typeof PerformanceSchema>;

const outcomes = each(runResults, countSchema);
const RunAmountsSchema = Type.Object({
  ...outcomes,
  /** Sums over the runs that have both areas. */
  planned_m2: Type.Number({ minimum: 0 }),
  cleaned_m2: Type.Number({ minimum: 0 }),
  interruptions: countSchema,
  /** Number of interruptions that somebody resolved, and total seconds until then. */
  helped: countSchema,
  help_s: secondsSchema,
});
export type RunAmounts = Static<typeof RunAmountsSchema>;
/**
 * Runs that are not superseded, by the day of their start (UTC), within the caller's scope. The number of each outcome
 * equals the count of a list (`runList`).
 */
const FleetRunsSchema = Type.Object({
  from: daySchema,
  to: daySchema,
  days: Type.Array(Type.Object({ day: daySchema, ...outcomes })),
  sum: RunAmountsSchema,
  /** Sums of the preceding period of the same length. */
  before: RunAmountsSchema,
  /** Sites with the smallest share of completed runs. Only runs with an outcome count; a site needs at least three. */
  worst: Type.Array(
    Type.Object({
      ...namedRow,
      share: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the runs that were completed' }),
      runs: countSchema,
    }),
  ),
});
export type FleetRunFigures = Static<typeof FleetRunsSchema>;

/**
 * Health of the installation. `waiting` and `failed` count mails, alert messages and scheduled reports; failures are
 * those of the last 30 days.
 */
const InstallationSchema = Type.Object({
  /** Number of devices that send messages, but are not assigned to a machine. */
  devices: countSchema,
  waiting: countSchema,
  waiting_since: nullable(instantSchema),
  failed: countSchema,
  /** Number of failed imports. */
  imports: countSchema,
});

export const dashboardEndpoints = defineEndpoints({
  'GET /dashboard/installation': {
    summary: 'Health of the installation; requires global scope',
    tag: 'dashboard',
    permission: 'audit.list',
    response: dataOf(InstallationSchema),
    refuses: [401, 403],
  },
  'GET /dashboard/performance': {
    summary: 'Performance of the fleet in the last complete days, compared with as many days before',
    tag: 'dashboard',
    wall: true,
    query: { days: choice(performanceDays, { default: '30' }) },
    replica: true,
    response: dataOf(PerformanceSchema),
    refuses: [400, 401, 422],
  },
  'GET /dashboard/runs': {
    summary: 'Outcomes of the runs of the last complete days, compared with as many days before',
    tag: 'dashboard',
    permission: 'runs.list',
    query: { days: choice(performanceDays, { default: '30' }) },
    replica: true,
    response: dataOf(FleetRunsSchema),
    refuses: [400, 401, 403, 422],
  },
  'GET /dashboard': {
    summary: 'Key figures within the scope of the caller',
    tag: 'dashboard',
    wall: true,
    replica: true,
    response: dataOf(DashboardSchema),
    refuses: [401],
  },
});
