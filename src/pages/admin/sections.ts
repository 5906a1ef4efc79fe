/** The tabs of the administration and the lists in each (specification, section 2). */
import type { EntityName } from '../../../schema/index';
import { type PathOf, pathBelow, pathOf } from '../../crud/shared/paths';

export interface Section {
  /** Last segment of the tab's path. */
  name: string;
  /** Translation key. */
  label: string;
  /** The lists of the tab; the first one is open initially. */
  entities: readonly [EntityName, ...EntityName[]];
  /** The entity whose list and rows use the tab's path: `/admin/users/7`, as opposed to `/admin/fleets/types/7`. */
  ownEntity?: EntityName;
}

export const sections: readonly [Section, ...Section[]] = [
  { name: 'companies', label: 'admin.crm', entities: ['clients'], ownEntity: 'clients' },
  { name: 'fleets', label: 'admin.fleets', entities: ['types', 'trackers', 'integrations', 'machines', 'fleets'] },
  { name: 'users', label: 'admin.accounts', entities: ['users', 'invitations'], ownEntity: 'users' },
  {
    name: 'authorization',
    label: 'admin.authorizations',
    entities: ['roles', 'permissions', 'languages', 'countries'],
  },
  { name: 'history', label: 'history.title', entities: ['audit'], ownEntity: 'audit' },
];

export const sectionPath = ({ name }: Section): string => `/admin/${name}`;

/** Paths of create forms that the specification prescribes. */
const createPaths: Partial<Record<string, string>> = {
  clients: '/admin/companies/addcompany',
  machines: '/admin/fleets/addmachine',
};

const listPaths = new Map<string, string>(
  sections.flatMap((section) =>
    section.entities.map((entity) => [
      entity,
      entity === section.ownEntity ? sectionPath(section) : `${sectionPath(section)}/${entity}`,
    ]),
  ),
);

/** Paths inside the administration. Entities without a page there keep their default path. */
export const adminPathOf: PathOf = (entity, id, page) => {
  const list = listPaths.get(entity);
  if (!list) return pathOf(entity, id, page);
  return (id === 'create' && createPaths[entity]) || pathBelow(list, id, page);
};
