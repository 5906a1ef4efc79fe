import { entity } from '../dsl/entity';
import { choice, many, refs, text } from '../dsl/field';
import { scopeKinds } from '../shared/roles';

export const roles = entity('roles', {
  title: 'name',
  fields: {
    name: text({ required: true, unique: true, max: 60 }),
    scope: choice(scopeKinds, { required: true, default: 'client', help: true }),
    permission_ids: refs('permissions', { help: true }),
    users: many('users', 'roles.id'),
  },
  list: { columns: ['name', 'scope', 'created_at'], sort: 'name', search: ['name'], filters: ['scope'] },
  grants: {
    admin: 'all',
    country_manager: 'read',
    partner: 'read',
    customer_admin: 'read',
    site_manager: 'read',
    operator: 'read',
  },
  scope: 'global',
});
