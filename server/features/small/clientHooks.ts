/** Hooks of clients: their administrators, and the link of a partner to a client that they create. */
import { sql } from 'drizzle-orm';
import { namedRoles } from '../../../schema/shared/roles';
import type { EntityHooks } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';

export const clientHooks: EntityHooks = {
  narrowedWhere: {
    /** Administrators of a client are the users with the role Customer Admin. */
    administrators: (row) =>
      sql`exists (select 1 from users_roles link join roles r on r.id = link.roles_id where link.users_id = ${row}.id
        and r.deleted_at is null and r.name = ${namedRoles.customer_admin.name})`,
  },

  /** Links a partner to a client that they create; otherwise they could not see it. */
  async after({ tx, caller, services, id, current }) {
    if (current || !caller.scopes.has('partner')) return;
    await tx.rows(
      sql`insert into users_clients (users_id, clients_id) values (${caller.userId}, ${id}) on conflict do nothing`,
    );
    // The rest of this request needs the link, too; the next request loads it. A rollback does no harm, because the
    // client's id then never exists.
    const clients = caller.links.clients;
    caller.links = { ...caller.links, clients: [...clients, id] };
    const change = { id: caller.userId, before: { client_ids: clients }, after: { client_ids: caller.links.clients } };
    await writeAuditEntries(tx, { entity: services.model.require('users'), by: caller, action: 'edit' }, [change]);
  },
};
