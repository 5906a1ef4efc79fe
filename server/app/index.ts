/** Hooks of all entities, by name. */

import type { EntityHooks } from '../context/services';
import { alertRulesServer } from '../features/alerts/alert_rules';
import { alertsServer } from '../features/alerts/alerts';
import { importsServer } from '../features/imports/imports';
import { locationsServer } from '../features/locations/locations';
import { documentsServer } from '../features/machines/documents';
import { machinesServer } from '../features/machines/machines';
import { machineTypesServer } from '../features/machines/machineTypeHooks';
import { trackersServer } from '../features/machines/trackers';
import { reportSchedulesServer } from '../features/reports/report_schedules';
import { serviceEntriesServer } from '../features/service/service_entries';
import { servicePlansServer } from '../features/service/service_plans';
import { auditServer } from '../features/small/audit';
import { clientsServer } from '../features/small/clients';
import { languagesServer } from '../features/small/languages';
import { savedViewsServer } from '../features/small/saved_views';
import { invitationsServer } from '../features/users/invitations';
import { permissionsServer } from '../features/users/permissions';
import { rolesServer } from '../features/users/roles';
import { usersServer } from '../features/users/users';

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
