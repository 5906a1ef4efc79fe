/** Hooks of all entities, by name. */

import type { EntityHooks } from '../context/services';
import { alertHooks } from '../features/alerts/alertHooks';
import { alertRuleHooks } from '../features/alerts/alertRuleHooks';
import { floorHooks } from '../features/floors/floorHooks';
import { importHooks } from '../features/imports/importHooks';
import { integrationHooks } from '../features/integrations/integrationHooks';
import { locationHooks } from '../features/locations/locationHooks';
import { documentHooks } from '../features/machines/documentHooks';
import { machineHooks } from '../features/machines/machineHooks';
import { machineTypeHooks } from '../features/machines/machineTypeHooks';
import { trackerHooks } from '../features/machines/trackerHooks';
import { reportScheduleHooks } from '../features/reports/reportScheduleHooks';
import { runHooks } from '../features/runs/runHooks';
import { zoneHooks } from '../features/runs/zoneHooks';
import { serviceEntryHooks } from '../features/service/serviceEntryHooks';
import { servicePlanHooks } from '../features/service/servicePlanHooks';
import { auditHooks } from '../features/small/auditHooks';
import { clientHooks } from '../features/small/clientHooks';
import { languageHooks } from '../features/small/languageHooks';
import { savedViewHooks } from '../features/small/savedViewHooks';
import { invitationHooks } from '../features/users/invitationHooks';
import { permissionHooks } from '../features/users/permissionHooks';
import { roleHooks } from '../features/users/roleHooks';
import { userHooks } from '../features/users/userHooks';

export const entityHooks: Readonly<Record<string, EntityHooks | undefined>> = {
  trackers: trackerHooks,
  machines: machineHooks,
  locations: locationHooks,
  clients: clientHooks,
  documents: documentHooks,
  imports: importHooks,
  integrations: integrationHooks,
  floors: floorHooks,
  invitations: invitationHooks,
  languages: languageHooks,
  permissions: permissionHooks,
  report_schedules: reportScheduleHooks,
  roles: roleHooks,
  runs: runHooks,
  zones: zoneHooks,
  service_entries: serviceEntryHooks,
  service_plans: servicePlanHooks,
  types: machineTypeHooks,
  alert_rules: alertRuleHooks,
  alerts: alertHooks,
  users: userHooks,
  audit: auditHooks,
  saved_views: savedViewHooks,
};
