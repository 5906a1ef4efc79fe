/** Hooks of roles: built-in roles keep their name and scope, and no role can exceed the rights of whoever saves it. */
import { sql } from 'drizzle-orm';
import { registry } from '../../../schema';
import { namedRoles, type ScopeKind } from '../../../schema/shared/roles';
import { findExceedingRoles, isWider } from '../../auth/privilege';
import { ApiError } from '../../context/errors';
import type { EntityHooks } from '../../context/services';
import { inUseError } from '../../crud/write/inUseError';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { holderRoutes, isBuiltInRoleName, readHolderIds } from './holderRoutes';

export const roleHooks: EntityHooks = {
  async before({ tx, caller, id, values, current, fail }) {
    if (current && (await findExceedingRoles(tx, caller, [id])).length > 0) throw ApiError.forbidden();
    if (current && isBuiltInRoleName(current.name)) {
      if (values.name !== undefined) fail('name', { text: 'named_role' });
      if (values.scope !== undefined) fail('scope', { key: 'prohibited' });
    }
    const permissionIds = Array.isArray(values.permission_ids)
      ? (values.permission_ids as unknown[]).filter((id): id is number => Number.isInteger(id))
      : undefined;
    const storedIds = Array.isArray(current?.permission_ids) ? (current.permission_ids as number[]) : [];
    // Removing a permission from Admin would remove it from everybody permanently.
    if (permissionIds && current?.name === namedRoles.admin.name && storedIds.some((id) => !permissionIds.includes(id)))
      fail('permission_ids', { key: 'prohibited' });
    if (permissionIds && (await readPermissionCodes(tx, permissionIds)).some((code) => !caller.permissions.has(code)))
      fail('permission_ids', { text: 'beyond_own_rights' });
    const scope = (values.scope ?? current?.scope ?? 'client') as ScopeKind;
    if (isWider(caller, scope)) fail('scope', { text: 'beyond_own_rights' });
  },

  async beforeDelete({ tx, caller, id, current }) {
    if (isBuiltInRoleName(current.name)) throw ApiError.conflict('named_role');
    if ((await findExceedingRoles(tx, caller, [id])).length > 0) throw ApiError.forbidden();
    const holders = (await readHolderIds(tx, id)).length;
    if (holders > 0)
      throw inUseError(caller.language, registry.roles, [{ other: registry.users, field: 'role_ids', count: holders }]);
  },

  routes: holderRoutes,
};

async function readPermissionCodes(tx: Queries, ids: readonly number[]): Promise<string[]> {
  const rows = await tx.select(
    { code_name: pg.text },
    sql`select code_name from permissions where id = any(${sql.param([...ids])}::int[])`,
  );
  return rows.map(({ code_name }) => code_name);
}
