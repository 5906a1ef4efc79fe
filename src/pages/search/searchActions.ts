/**
 * Actions on rows that the search offers: actions of the rows' pages, with the same dialogs, and edit and delete for
 * every entity.
 */
import type { RaRecord } from 'ra-core';
import { entities, isBuiltIn } from '../../../schema';
import { alerts } from '../../../schema/entities/alerts';
import { fleets } from '../../../schema/entities/fleets';
import { locations } from '../../../schema/entities/locations';
import { machines } from '../../../schema/entities/machines';
import { serviceEntries } from '../../../schema/entities/service_entries';
import { trackers } from '../../../schema/entities/trackers';
import { users } from '../../../schema/entities/users';
import { isAssignable, movesOf } from '../../crud/bulk/assignable';
import { isEditable, isPermitted } from '../../crud/shared/entities';
import { pathOf } from '../../crud/shared/paths';
import { removalTextsOf } from '../../crud/shared/removalTexts';
import type { SearchAction } from '../../layout/useSearchActions';
import { can } from '../../providers/auth';
import { lazyPage } from '../../ui/lazyPage';

const dialogs = () => import('./actionDialogs');
const canAssignTrackers = () => can('trackers', 'edit') && can('machines', 'edit');

const machineActions: SearchAction[] = [
  {
    name: 'report',
    entity: machines,
    label: 'alerting.report.open',
    icon: 'warning',
    isAllowed: () => isPermitted('machines.report'),
    act: lazyPage(dialogs, 'ReportProblemAction'),
  },
  {
    name: 'tracker',
    entity: machines,
    label: 'palette.assign_tracker',
    icon: 'online',
    isAllowed: () => canAssignTrackers() && can('trackers', 'list'),
    act: lazyPage(dialogs, 'ChooseTrackerAction'),
  },
  {
    name: 'move',
    entity: machines,
    label: 'many.move',
    icon: 'move',
    isAllowed: () => movesOf(machines).length > 0,
    act: lazyPage(dialogs, 'MoveAction'),
  },
  {
    name: 'service',
    entity: machines,
    label: 'resources.service_entries.add',
    icon: 'plus',
    isAllowed: () => can(serviceEntries.name, 'create'),
    act: lazyPage(dialogs, 'AddServiceEntryAction'),
  },
  {
    name: 'label',
    entity: machines,
    label: 'labels.one',
    icon: 'qr',
    isAllowed: () => can('machines', 'list'),
    act: { to: (id) => `/machines/labels?ids=${id}` },
  },
];

const alertActions: SearchAction[] = [
  {
    name: 'acknowledge',
    entity: alerts,
    label: 'alerting.acknowledge',
    icon: 'check',
    isAllowed: () => isPermitted('alerts.acknowledge'),
    filter: { state: 'open' },
    fits: ({ state }) => state === 'open',
    act: lazyPage(dialogs, 'AcknowledgeAlertAction'),
  },
  {
    name: 'close',
    entity: alerts,
    label: 'alerting.close',
    icon: 'success',
    isAllowed: () => isPermitted('alerts.acknowledge'),
    filter: { 'state.not': 'closed' },
    fits: ({ state }) => state !== 'closed',
    act: lazyPage(dialogs, 'CloseAlertAction'),
  },
];

const trackerActions: SearchAction[] = [
  {
    name: 'assign',
    entity: trackers,
    label: 'trackers.assign',
    icon: 'machines',
    isAllowed: canAssignTrackers,
    filter: { assigned: false },
    fits: ({ assigned }) => !assigned,
    act: lazyPage(dialogs, 'AssignTrackerAction'),
  },
  {
    name: 'unassign',
    entity: trackers,
    label: 'trackers.unassign',
    icon: 'close',
    isAllowed: canAssignTrackers,
    filter: { assigned: true },
    fits: ({ assigned }) => Boolean(assigned),
    act: lazyPage(dialogs, 'UnassignTrackerAction'),
  },
];

const moveLocation: SearchAction = {
  name: 'move',
  entity: locations,
  label: 'clients.move_location',
  icon: 'move',
  isAllowed: () => can('locations', 'edit'),
  act: lazyPage(dialogs, 'MoveLocationAction'),
};

const assignments = [machines, locations, fleets, users].map(
  (entity): SearchAction => ({
    name: 'people',
    entity,
    label: entity === users ? 'many.assign' : 'many.assign_users',
    icon: 'users',
    isAllowed: () => isAssignable(entity),
    act: lazyPage(dialogs, 'AssignAction'),
  }),
);

const generalActions = entities.flatMap((entity): SearchAction[] => [
  {
    name: 'edit',
    entity,
    label: 'record.edit',
    icon: 'edit',
    isGeneral: true,
    isAllowed: () => isEditable(entity),
    act: { to: (id) => pathOf(entity.name, id, 'edit') },
  },
  {
    name: 'delete',
    entity,
    label: removalTextsOf(entity).label,
    icon: 'trash',
    isGeneral: true,
    isAllowed: () => can(entity.name, 'delete'),
    fits: (row: RaRecord) => !isBuiltIn(entity, row),
    act: lazyPage(dialogs, 'DeleteAction'),
  },
]);

export const searchActions: readonly SearchAction[] = [
  ...machineActions,
  ...alertActions,
  ...trackerActions,
  moveLocation,
  ...assignments,
  ...generalActions,
];
