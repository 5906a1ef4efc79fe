/** The pages of every entity: generated from its declaration unless the entity has its own. */
import type { RaRecord } from 'ra-core';
import { Resource } from 'ra-core';
import type { ComponentType, ReactNode } from 'react';
import { Navigate, Route } from 'react-router-dom';
import type { Entity } from '../../schema/dsl/entity';
import { type EntityName, entities } from '../../schema/index';
import { lazyPage } from '../layout/lazyPage';
import { can } from '../providers/auth';
import { alertFields } from './alerts/draw';
import { auditFields } from './audit/draw';
import { documentFields } from './documents/draw';
import { rememberEntity, titleOf } from './entities';
import { importFields } from './imports/draw';
import { invitationFields } from './invitations/draw';
import { emptyMachineFields, machineFields, typeFields } from './machines/draw';
import { drawAs, drawEmptyAs } from './parts/shown';
import { permissionFields } from './permissions/draw';
import { savedViewFields } from './saved_views/draw';
import { serviceEntryFields } from './service/draw';

type Page = ComponentType<{ entity: Entity }>;
export interface Pages {
  list: Page;
  create: Page;
  record: Page;
  edit: Page;
}

const generated: Pages = {
  list: lazyPage(() => import('./list/ListPage'), 'ListPage'),
  create: lazyPage(() => import('./record/CreatePage'), 'CreatePage'),
  record: lazyPage(() => import('./record/RecordPage'), 'RecordPage'),
  edit: lazyPage(() => import('./record/EditPage'), 'EditPage'),
};

/** What an entity draws by itself instead: `machines: { record: lazyPage(() => import('./machines/MachinePage'), 'MachinePage') }`. */
const own: Partial<Record<EntityName, Partial<Pages>>> = {
  machines: {
    list: lazyPage(() => import('./machines/MachinesList'), 'MachinesList'),
    record: lazyPage(() => import('./machines/MachinePage'), 'MachinePage'),
  },
  audit: { record: lazyPage(() => import('./audit/ChangePage'), 'ChangePage') },
  clients: { record: lazyPage(() => import('./clients/ClientPage'), 'ClientPage') },
  fleets: { record: lazyPage(() => import('./fleets/FleetPage'), 'FleetPage') },
  locations: {
    list: lazyPage(() => import('./locations/LocationsList'), 'LocationsList'),
    record: lazyPage(() => import('./locations/LocationPage'), 'LocationPage'),
  },
  imports: { record: lazyPage(() => import('./imports/ImportPage'), 'ImportPage') },
  invitations: {
    list: lazyPage(() => import('./users/PeopleLists'), 'InvitationsList'),
    create: lazyPage(() => import('./invitations/InviteUser'), 'InviteUser'),
    record: lazyPage(() => import('./invitations/InvitationPage'), 'InvitationPage'),
  },
  users: {
    list: lazyPage(() => import('./users/PeopleLists'), 'UsersList'),
    create: lazyPage(() => import('./users/UserForms'), 'CreateUser'),
    record: lazyPage(() => import('./users/UserPage'), 'UserPage'),
    edit: lazyPage(() => import('./users/UserForms'), 'EditUser'),
  },
  trackers: {
    list: lazyPage(() => import('./trackers/TrackersList'), 'TrackersList'),
    record: lazyPage(() => import('./trackers/TrackerPage'), 'TrackerPage'),
  },
  service_entries: {
    record: lazyPage(() => import('./service/EntryPage'), 'EntryPage'),
    edit: lazyPage(() => import('./service/forms'), 'EditEntry'),
  },
  service_plans: {
    create: lazyPage(() => import('./service/forms'), 'CreatePlan'),
    edit: lazyPage(() => import('./service/forms'), 'EditPlan'),
  },
  alert_rules: {
    record: lazyPage(() => import('./alert_rules/RulePages'), 'RulePage'),
    create: lazyPage(() => import('./alert_rules/RulePages'), 'CreateRule'),
    edit: lazyPage(() => import('./alert_rules/RulePages'), 'EditRule'),
  },
  report_schedules: {
    record: lazyPage(() => import('./report_schedules/SchedulePages'), 'SchedulePage'),
    create: lazyPage(() => import('./report_schedules/SchedulePages'), 'CreateSchedule'),
    edit: lazyPage(() => import('./report_schedules/SchedulePages'), 'EditSchedule'),
  },
  saved_views: {
    create: lazyPage(() => import('./saved_views/CreateView'), 'CreateView'),
    record: lazyPage(() => import('./saved_views/ViewPage'), 'ViewPage'),
    edit: lazyPage(() => import('./saved_views/ViewPage'), 'EditView'),
  },
  alerts: { record: lazyPage(() => import('./alerts/AlertPage'), 'AlertPage') },
  roles: {
    list: lazyPage(() => import('./roles/RolesList'), 'RolesList'),
    record: lazyPage(() => import('./roles/RolePage'), 'RolePage'),
    create: lazyPage(() => import('./roles/RoleForms'), 'CreateRole'),
    edit: lazyPage(() => import('./roles/RoleForms'), 'EditRole'),
  },
};

drawAs('audit', auditFields);
drawAs('alerts', alertFields);
drawAs('documents', documentFields);
drawAs('imports', importFields);
drawAs('invitations', invitationFields);
drawAs('machines', machineFields);
drawEmptyAs('machines', emptyMachineFields);
drawAs('permissions', permissionFields);
drawAs('saved_views', savedViewFields);
drawAs('service_entries', serviceEntryFields);
drawAs('types', typeFields);

/** One react-admin resource with its four pages: list, new row, row (and its tabs), form. */
export function resourceOf(entity: Entity, pages: Partial<Pages> = own[entity.name as EntityName] ?? {}): ReactNode {
  const { list: List, create: Create, record: One, edit: Edit }: Pages = { ...generated, ...pages };
  rememberEntity(entity);
  return (
    <Resource
      key={entity.name}
      name={entity.name}
      list={guarded(entity, 'list', <List entity={entity} />)}
      create={guarded(entity, 'create', <Create entity={entity} />)}
      hasEdit
      hasShow
      recordRepresentation={(row: RaRecord) => titleOf(entity, row, 'en')}
    >
      <Route path=":id/edit" element={<Edit entity={entity} />} />
      <Route path=":id/*" element={guarded(entity, 'show', <One entity={entity} />)} />
    </Resource>
  );
}

const guarded = (entity: Entity, action: 'list' | 'create' | 'show', page: ReactNode) => (
  <Guard entity={entity} action={action}>
    {page}
  </Guard>
);

/** Asked when the page opens, not when the routes are made: who is logged in may change. Without the permission it is the dashboard. */
const Guard = ({ entity, action, children }: { entity: Entity; action: string; children: ReactNode }) =>
  can(entity.name, action) ? children : <Navigate to="/" replace />;

/** All of them, to stand inside the admin. */
export const resources: ReactNode = <>{entities.map((entity) => resourceOf(entity))}</>;
