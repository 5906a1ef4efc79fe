/** The tabs of the administration and the lists in each (specification, section 2). */
import type { EntityName } from '../../../schema/index';

export interface Section {
  /** Last part of the tab's address. */
  name: string;
  /** Translation key. */
  label: string;
  /** The lists of the tab; the first is shown when the tab is opened. */
  entities: readonly [EntityName, ...EntityName[]];
}

export const sections: readonly [Section, ...Section[]] = [
  { name: 'companies', label: 'admin.crm', entities: ['clients'] },
  { name: 'fleets', label: 'admin.fleets', entities: ['types', 'trackers', 'machines', 'fleets'] },
  { name: 'users', label: 'admin.accounts', entities: ['users', 'invitations'] },
  {
    name: 'authorization',
    label: 'admin.authorizations',
    entities: ['roles', 'permissions', 'languages', 'countries'],
  },
  { name: 'history', label: 'history.title', entities: ['audit'] },
];

export const sectionPath = ({ name }: Section): string => `/admin/${name}`;

/** The first list of a tab has the tab's own address. */
export const sectionListPath = (section: Section, entity: EntityName): string =>
  entity === section.entities[0] ? sectionPath(section) : `${sectionPath(section)}/${entity}`;

/** Where a new row is made, for the entities whose form is a page of the administration. */
export const createPaths: Partial<Record<EntityName, string>> = {
  clients: '/admin/companies/addcompany',
  machines: '/admin/fleets/addmachine',
};
