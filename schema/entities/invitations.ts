import { entity } from '../dsl/entity';
import { boolean, email, instant, ref } from '../dsl/field';

/** Invitations are valid for 7 days; accepting one creates the user. */
export const invitations = entity('invitations', {
  title: 'email',
  fields: {
    email: email({ required: true }),
    role_id: ref('roles', { required: true, onDelete: 'cascade' }),
    client_id: ref('clients', { help: true, onDelete: 'cascade' }),
    language_id: ref('languages', { required: true }),
    accepted: boolean({ write: false, default: false }),
    expires_at: instant({ write: false }),
  },
  list: {
    columns: ['email', 'role_id', 'client_id', 'accepted', 'created_at', 'expires_at'],
    sort: '-created_at',
    search: ['email'],
    filters: ['progress', 'role_id', 'client_id'],
    facets: ['progress', 'role_id', 'client_id'],
  },
  buckets: { progress: ['pending', 'accepted', 'expired'] },
  grants: {
    admin: 'all',
    country_manager: ['list', 'show', 'create', 'edit', 'delete', 'import', 'export'],
    partner: ['list', 'show', 'create', 'edit', 'delete', 'import', 'export'],
    customer_admin: ['list', 'show', 'create', 'edit', 'delete', 'export'],
    site_manager: 'none',
    operator: 'none',
  },
  scope: { country: 'client.country_id', client: 'client_id' },
});
