/** Hooks of permissions: enforced permissions keep their code name, and new ones are granted to Admin. */
import { sql } from 'drizzle-orm';
import { isBuiltIn } from '../../../schema';
import { namedRoles } from '../../../schema/shared/roles';
import { ApiError } from '../../context/errors';
import type { EntityHooks, Services } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { pg } from '../../db/core/rowShape';

export const permissionHooks: EntityHooks = {
  async before({ services, values, current, fail }) {
    if (current && values.code_name !== undefined && isEnforced(services, current))
      fail('code_name', { key: 'prohibited' });
  },

  /** Grants a new permission to Admin. Nobody can grant a permission they lack, so at least one role must have it. */
  async after({ tx, caller, services, id, current }) {
    if (current) return;
    const roles = await tx.select(
      { id: pg.integer, before: pg.integer.array },
      sql`
      insert into roles_permissions (roles_id, permissions_id) select id, ${id} from roles
      where name = ${namedRoles.admin.name} and deleted_at is null on conflict do nothing
      returning roles_id as id, array(select k.permissions_id from roles_permissions k
      where k.roles_id = roles_permissions.roles_id) as before`,
    );
    const entries = roles.map(({ id: role, before }) => ({
      id: role,
      before: { permission_ids: before },
      after: { permission_ids: [...before, id] },
    }));
    await writeAuditEntries(tx, { entity: services.model.require('roles'), by: caller, action: 'edit' }, entries);
  },

  async beforeDelete({ services, current }) {
    if (isEnforced(services, current)) throw ApiError.conflict('built_in_permission');
  },
};

const isEnforced = ({ model }: Services, row: Record<string, unknown>) =>
  isBuiltIn(model.require('permissions'), row, model.entities);
