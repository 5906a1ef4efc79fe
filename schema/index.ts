/** The registry: every entity of the product, by name. */
import { actions, type Entity, type Grant, isReadOnly, type RoleName } from './dsl/entity';
import { alertRules } from './entities/alert_rules';
import { alerts } from './entities/alerts';
import { auditOf } from './entities/audit';
import { clients } from './entities/clients';
import { countries } from './entities/countries';
import { documents } from './entities/documents';
import { fleets } from './entities/fleets';
import { floors } from './entities/floors';
import { imports } from './entities/imports';
import { integrations } from './entities/integrations';
import { invitations } from './entities/invitations';
import { languages } from './entities/languages';
import { locations } from './entities/locations';
import { machines } from './entities/machines';
import { permissions } from './entities/permissions';
import { reportSchedules } from './entities/report_schedules';
import { roles } from './entities/roles';
import { runs } from './entities/runs';
import { savedViews } from './entities/saved_views';
import { serviceEntries } from './entities/service_entries';
import { servicePlans } from './entities/service_plans';
import { trackers } from './entities/trackers';
import { types } from './entities/types';
import { users } from './entities/users';
import { zones } from './entities/zones';
import { namedRoles } from './shared/roles';

const auditedEntities = {
  machines,
  clients,
  fleets,
  locations,
  users,
  invitations,
  roles,
  permissions,
  languages,
  countries,
  types,
  trackers,
  integrations,
  documents,
  floors,
  zones,
  runs,
  service_entries: serviceEntries,
  service_plans: servicePlans,
  alert_rules: alertRules,
  alerts,
  saved_views: savedViews,
  imports,
  report_schedules: reportSchedules,
};
/** All entities. `audit` comes last because it records the others. */
export const registry = { ...auditedEntities, audit: auditOf(Object.keys(auditedEntities)) };
export type Registry = typeof registry;
export type EntityName = keyof Registry;

/** All entities in their common shape. */
export const entities: readonly Entity[] = Object.values(registry);

const readOnlyActions = ['list', 'show', 'export'];

/** The permission codes that exist for an entity. */
export function codesOf(entity: Entity): string[] {
  const possibleActions = isReadOnly(entity) ? readOnlyActions : actions;
  return [...possibleActions, ...entity.special].map((action) => `${entity.name}.${action}`);
}

/**
 * Whether a row is built in, so that it can be neither renamed nor deleted. True for the six named roles, and for the
 * permissions of `declarations`, which the server enforces.
 */
export const isBuiltIn = (
  { name }: Pick<Entity, 'name'>,
  row: Readonly<Record<string, unknown>>,
  declarations: readonly Entity[] = entities,
): boolean =>
  name === 'roles'
    ? Object.values(namedRoles).some((role) => role.name === row.name)
    : name === 'permissions' && declarations.some((entity) => codesOf(entity).some((code) => code === row.code_name));

const grantedActions = {
  all: actions,
  write: actions.filter((action) => action !== 'delete'),
  read: ['list', 'show'],
  none: [],
} satisfies Record<Extract<Grant, string>, readonly string[]>;

/** Returns the permission codes that a named role has in a new database. */
export function defaultPermissionsOf(role: RoleName, declarations: readonly Entity[] = entities): string[] {
  return declarations.flatMap((entity) => {
    const grant = entity.grants[role];
    return (typeof grant === 'string' ? grantedActions[grant] : grant).map((action) => `${entity.name}.${action}`);
  });
}
