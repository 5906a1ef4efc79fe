import { entity } from '../dsl/entity';
import { many, text } from '../dsl/field';

/** Permissions. Code names are `<resource>.<action>`; the server enforces those that it knows, and ignores others. */
export const permissions = entity('permissions', {
  title: 'code_name',
  titles: ['name'],
  fields: {
    name: text({ required: true, max: 120 }),
    code_name: text({ required: true, unique: true, format: 'code_name', max: 120 }),
    roles: many('roles', 'permissions.id'),
  },
  list: { columns: ['name', 'code_name', 'created_at'], sort: 'code_name', search: ['name', 'code_name'] },
  grants: {
    admin: 'all',
    country_manager: 'none',
    partner: 'none',
    customer_admin: 'none',
    site_manager: 'none',
    operator: 'none',
  },
  scope: 'global',
});
