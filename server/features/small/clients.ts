import { sql } from 'drizzle-orm';
import { namedRoles } from '../../../schema/shared/roles';
import type { EntityHooks } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/audit';

export const clientsServer: EntityHooks = {
  narrowed: {
    /** Administrators of a client are its Customer Admins. */
    administrators: (row) =>
      sql`exists (select 1 from users_roles held join roles r on r.id = held.roles_id where held.users_id = ${row}.id
        and r.deleted_at is null and r.name = ${namedRoles.customer_admin.name})`,
  },

  /** A partner looks after the clients that they add: nothing but the link lets them reach a new one. */
  async after({ tx, caller, services, id, current }) {
    if (current || !caller.scopes.has('partner')) return;
    await tx.rows(
      sql`insert into users_clients (users_id, clients_id) values (${caller.userId}, ${id}) on conflict do nothing`,
    );
    // The rest of this request already reaches it; the next one reads the links anew. Should the creation be rolled
    // back, the id never exists.
    const before = caller.links.clients;
    caller.links = { ...caller.links, clients: [...before, id] };
    const change = { id: caller.userId, before: { client_ids: before }, after: { client_ids: caller.links.clients } };
    await writeAuditEntries(tx, { entity: services.model.require('users'), by: caller, action: 'edit' }, [change]);
  },
};
