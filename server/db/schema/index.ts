/** All tables of the product, for drizzle-kit and for tests. */
import * as account from './account';
import * as alerts from './alerts';
import { entityTables } from './entities';
import * as fleetSums from './fleetSums';
import * as floors from './floors';
import * as imports from './imports';
import * as inbox from './inbox';
import * as integrations from './integrations';
import * as jobs from './jobs';
import * as objects from './objects';
import * as reports from './reports';
import * as runDays from './runDays';
import * as service from './service';
import * as session from './session';
import * as system from './system';
import * as telemetry from './telemetry';

export const tables = {
  ...entityTables,
  ...account,
  ...alerts,
  ...service,
  ...session,
  ...system,
  ...telemetry,
  ...fleetSums,
  ...floors,
  ...imports,
  ...inbox,
  ...integrations,
  ...jobs,
  ...objects,
  ...reports,
  ...runDays,
};
