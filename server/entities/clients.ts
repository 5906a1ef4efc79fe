import { sql } from 'drizzle-orm';
import { namedRoles } from '../../schema/roles';
import type { EntityServer } from './types';

/** Administrators of a client are its Customer Admins. */
export const clientsServer: EntityServer = {
  narrowed: {
    administrators: (row) =>
      sql`exists (select 1 from users_roles held join roles r on r.id = held.roles_id where held.users_id = ${row}.id and r.deleted_at is null and r.name = ${namedRoles.customer_admin.name})`,
  },
};
