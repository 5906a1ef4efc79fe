/** The pages of all entities: generated from the declaration unless the entity has its own. */
import type { RaRecord } from 'ra-core';
import { Resource } from 'ra-core';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { Navigate, Route } from 'react-router-dom';
import { type EntityName, entities } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import { registerEmptyRenderers, registerRenderers } from '../crud/fields/renderers';
import { importRenderers } from '../crud/imports/importRenderers';
import type { ListComponent } from '../crud/list/ListPage';
import { registerEntity, titleOf } from '../crud/shared/entities';
import { provideSearchActions } from '../layout/useSearchActions';
import { can } from '../providers/auth';
import { alertRenderers } from '../resources/alerts/renderers';
import { auditRenderers } from '../resources/audit/auditRenderers';
import { documentRenderers } from '../resources/documents/documentRenderers';
import { floorRenderers } from '../resources/floors/floorRenderers';
import { invitationRenderers } from '../resources/invitations/invitationRenderers';
import { emptyMachineRenderers, machineRenderers, typeRenderers } from '../resources/machines/renderers';
import { permissionRenderers } from '../resources/permissions/permissionRenderers';
import { runRenderers } from '../resources/runs/runRenderers';
import { savedViewRenderers } from '../resources/saved_views/savedViewRenderers';
import { serviceEntryRenderers } from '../resources/service/renderers';
import { lazyPage, type Preloadable } from '../ui/lazyPage';

type Page = ComponentType<{ entity: Entity }>;
/** The four pages of an entity. */
interface EntityPages {
  list: ListComponent & Preloadable;
  create: Page;
  record: Page;
  edit: Page;
}

const generatedPages: EntityPages = {
  list: lazyPage(() => import('../crud/list/ListPage'), 'ListPage'),
  create: lazyPage(() => import('../crud/record/CreatePage'), 'CreatePage'),
  record: lazyPage(() => import('../crud/record/RecordPage'), 'RecordPage'),
  edit: lazyPage(() => import('../crud/record/EditPage'), 'EditPage'),
};

/**
 * Pages that replace generated ones: `machines: { record: lazyPage(() => import('../resources/machines/MachinePage'),
 * 'MachinePage') }`.
 */
const ownPages: Partial<Record<EntityName, Partial<EntityPages>>> = {
  machines: {
    list: lazyPage(() => import('../resources/machines/MachinesList'), 'MachinesList'),
    record: lazyPage(() => import('../resources/machines/MachinePage'), 'MachinePage'),
  },
  audit: { record: lazyPage(() => import('../resources/audit/ChangePage'), 'ChangePage') },
  clients: { record: lazyPage(() => import('../resources/clients/ClientPage'), 'ClientPage') },
  fleets: { record: lazyPage(() => import('../resources/fleets/FleetPage'), 'FleetPage') },
  locations: {
    list: lazyPage(() => import('../resources/locations/LocationsList'), 'LocationsList'),
    create: lazyPage(() => import('../resources/locations/LocationForms'), 'CreateLocation'),
    record: lazyPage(() => import('../resources/locations/LocationPage'), 'LocationPage'),
    edit: lazyPage(() => import('../resources/locations/LocationForms'), 'EditLocation'),
  },
  runs: {
    list: lazyPage(() => import('../resources/runs/RunsList'), 'RunsList'),
    record: lazyPage(() => import('../resources/runs/RunPage'), 'RunPage'),
  },
  floors: { record: lazyPage(() => import('../resources/floors/FloorPage'), 'FloorPage') },
  imports: { record: lazyPage(() => import('../crud/imports/ImportPage'), 'ImportPage') },
  invitations: {
    list: lazyPage(() => import('../resources/users/PeopleLists'), 'InvitationsList'),
    create: lazyPage(() => import('../resources/invitations/InviteUser'), 'InviteUser'),
    record: lazyPage(() => import('../resources/invitations/InvitationPage'), 'InvitationPage'),
  },
  users: {
    list: lazyPage(() => import('../resources/users/PeopleLists'), 'UsersList'),
    create: lazyPage(() => import('../resources/users/UserForms'), 'CreateUser'),
    record: lazyPage(() => import('../resources/users/UserPage'), 'UserPage'),
    edit: lazyPage(() => import('../resources/users/UserForms'), 'EditUser'),
  },
  trackers: {
    list: lazyPage(() => import('../resources/trackers/TrackersList'), 'TrackersList'),
    record: lazyPage(() => import('../resources/trackers/TrackerPage'), 'TrackerPage'),
  },
  integrations: { record: lazyPage(() => import('../resources/integrations/IntegrationPage'), 'IntegrationPage') },
  types: { record: lazyPage(() => import('../resources/types/TypePage'), 'TypePage') },
  service_entries: {
    record: lazyPage(() => import('../resources/service/EntryPage'), 'EntryPage'),
    edit: lazyPage(() => import('../resources/service/forms'), 'EditEntry'),
  },
  service_plans: {
    create: lazyPage(() => import('../resources/service/forms'), 'CreatePlan'),
    edit: lazyPage(() => import('../resources/service/forms'), 'EditPlan'),
  },
  alert_rules: {
    record: lazyPage(() => import('../resources/alert_rules/RulePages'), 'RulePage'),
    create: lazyPage(() => import('../resources/alert_rules/RulePages'), 'CreateRule'),
    edit: lazyPage(() => import('../resources/alert_rules/RulePages'), 'EditRule'),
  },
  report_schedules: {
    record: lazyPage(() => import('../resources/report_schedules/SchedulePages'), 'SchedulePage'),
    create: lazyPage(() => import('../resources/report_schedules/SchedulePages'), 'CreateSchedule'),
    edit: lazyPage(() => import('../resources/report_schedules/SchedulePages'), 'EditSchedule'),
  },
  saved_views: {
    create: lazyPage(() => import('../resources/saved_views/CreateView'), 'CreateView'),
    record: lazyPage(() => import('../resources/saved_views/ViewPage'), 'ViewPage'),
    edit: lazyPage(() => import('../resources/saved_views/ViewPage'), 'EditView'),
  },
  alerts: { record: lazyPage(() => import('../resources/alerts/AlertPage'), 'AlertPage') },
  roles: {
    record: lazyPage(() => import('../resources/roles/RolePage'), 'RolePage'),
    create: lazyPage(() => import('../resources/roles/RoleForms'), 'CreateRole'),
    edit: lazyPage(() => import('../resources/roles/RoleForms'), 'EditRole'),
  },
};

provideSearchActions(async () => (await import('../pages/search/searchActions')).searchActions);
registerRenderers('audit', auditRenderers);
registerRenderers('alerts', alertRenderers);
registerRenderers('documents', documentRenderers);
registerRenderers('floors', floorRenderers);
registerRenderers('imports', importRenderers);
registerRenderers('invitations', invitationRenderers);
registerRenderers('machines', machineRenderers);
registerEmptyRenderers('machines', emptyMachineRenderers);
registerRenderers('permissions', permissionRenderers);
registerRenderers('runs', runRenderers);
registerRenderers('saved_views', savedViewRenderers);
registerRenderers('service_entries', serviceEntryRenderers);
registerRenderers('types', typeRenderers);

/** One react-admin resource with its four pages: list, new row, row (and its tabs), form. */
export function resourceOf(entity: Entity): ReactNode {
  const { list, create, record, edit } = guardedPages(entity);
  registerEntity(entity);
  return (
    <Resource
      key={entity.name}
      name={entity.name}
      list={list}
      create={create}
      hasEdit
      hasShow
      recordRepresentation={(row: RaRecord) => titleOf(entity, row, 'en')}
    >
      <Route path=":id/edit" element={edit} />
      <Route path=":id/*" element={record} />
    </Resource>
  );
}

/** The list page of an entity, for use outside its own route, as in the administration. */
export const listPageOf = (name: EntityName): ListComponent & Preloadable =>
  ownPages[name]?.list ?? generatedPages.list;

/** The pages of an entity, each behind the permission that it needs. */
export function guardedPages(
  entity: Entity,
  pages: Partial<EntityPages> = {},
): Record<keyof EntityPages, ReactElement> {
  const {
    list: List,
    create: Create,
    record: Show,
    edit: Edit,
  }: EntityPages = {
    ...generatedPages,
    ...ownPages[entity.name as EntityName],
    ...pages,
  };
  return {
    list: guardPage(entity, 'list', <List entity={entity} />),
    create: guardPage(entity, 'create', <Create entity={entity} />),
    record: guardPage(entity, 'show', <Show entity={entity} />),
    // No guard: fields have their own permissions, which the form checks.
    edit: <Edit entity={entity} />,
  };
}

const guardPage = (entity: Entity, action: 'list' | 'create' | 'show', page: ReactNode) => (
  <Guard entity={entity} action={action}>
    {page}
  </Guard>
);

/**
 * Redirects users without the permission to the dashboard. Checks when the page opens, not when the routes are created,
 * since the user may change.
 */
const Guard = ({ entity, action, children }: { entity: Entity; action: string; children: ReactNode }) =>
  can(entity.name, action) ? children : <Navigate to="/" replace />;

/** The resources of all entities, for `Admin`. */
export const resources: ReactNode = <>{entities.map((entity) => resourceOf(entity))}</>;
