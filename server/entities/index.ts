/** What single entities add to the calls that every entity has, by name. */

import { alertRulesServer } from './alert_rules';
import { alertsServer } from './alerts';
import { auditServer } from './audit';
import { clientsServer } from './clients';
import { documentsServer } from './documents';
import { importsServer } from './imports';
import { invitationsServer } from './invitations';
import { languagesServer } from './languages';
import { locationsServer } from './locations';
import { machineTypesServer } from './machine_types';
import { machinesServer } from './machines';
import { permissionsServer } from './permissions';
import { reportSchedulesServer } from './report_schedules';
import { rolesServer } from './roles';
import { savedViewsServer } from './saved_views';
import { serviceEntriesServer } from './service_entries';
import { servicePlansServer } from './service_plans';
import { trackersServer } from './trackers';
import type { EntityHooks } from './types';
import { usersServer } from './users';

export const entityServers: Readonly<Record<string, EntityHooks | undefined>> = {
  trackers: trackersServer,
  machines: machinesServer,
  locations: locationsServer,
  clients: clientsServer,
  documents: documentsServer,
  imports: importsServer,
  invitations: invitationsServer,
  languages: languagesServer,
  permissions: permissionsServer,
  report_schedules: reportSchedulesServer,
  roles: rolesServer,
  service_entries: serviceEntriesServer,
  service_plans: servicePlansServer,
  types: machineTypesServer,
  alert_rules: alertRulesServer,
  alerts: alertsServer,
  users: usersServer,
  audit: auditServer,
  saved_views: savedViewsServer,
};
