/** The figures of the dashboard. */
import Type, { type Static } from 'typebox';
import { stateNames } from '../entities/machines';
import { attentions, counters } from '../features/dashboard';
import { countSchema, dataOf, defineEndpoints, each } from './endpoint';

const seconds = Type.Number({ minimum: 0 });
/** Work of machines in use on one of their local days, in seconds and m2. */
const WorkSchema = Type.Object({ cleaning: seconds, area_m2: Type.Number({ minimum: 0 }) });
export type WorkFigures = Static<typeof WorkSchema>;
/** Counts within the caller's scope. */
const DashboardSchema = Type.Object({
  ...each(counters, countSchema),
  states: Type.Object(each(stateNames, countSchema)),
  attention: Type.Object(each(attentions, countSchema)),
  /** Today so far, and the same weekday a week ago in full. */
  work: Type.Object({ today: WorkSchema, week_ago: WorkSchema }),
  /** The last seven days. */
  autonomy: Type.Object({ robotic: seconds, manual: seconds }),
  /** Whether a role of the caller covers anything; without, somebody has to link a company, site or machine first. */
  is_linked: Type.Boolean(),
});
export type DashboardFigures = Static<typeof DashboardSchema>;

export const dashboardEndpoints = defineEndpoints({
  'GET /dashboard': {
    summary: 'Key figures within the scope of the caller',
    tag: 'dashboard',
    response: dataOf(DashboardSchema),
    refuses: [401],
  },
});
