/** The tabs of the administration and the lists in each (specification, section 2). */
import type { EntityName } from '../../../schema/index';

export interface Section {
  /** Last segment of the tab's path. */
  name: string;
  /** Translation key. */
  label: string;
  /** The lists of the tab; it opens with the first. */
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

/** Path of a list; the first list has the path of its tab. */
export const sectionListPath = (section: Section, entity: EntityName): string =>
  entity === section.entities[0] ? sectionPath(section) : `${sectionPath(section)}/${entity}`;

/** Paths of the forms for new rows that are pages of the administration. */
export const createPaths: Partial<Record<EntityName, string>> = {
  clients: '/admin/companies/addcompany',
  machines: '/admin/fleets/addmachine',
};
