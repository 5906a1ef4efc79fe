/** Users who have a role: assigned in bulk, and moved to another role before the role is deleted. */
import { sql } from 'drizzle-orm';
import { namedRoles } from '../../../schema/shared/roles';
import { visibleIds } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Routes } from '../../context/services';
import type { Draft } from '../../crud/write/draft';
import { lockRow, lockRows } from '../../crud/write/lockRows';
import { publishChanges } from '../../crud/write/publishChanges';
import { updateRows, type WriteResult } from '../../crud/write/rowWrites';
import { trashRows } from '../../crud/write/trashRows';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';

export const holderRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;
  const [roles, users] = [model.require('roles'), model.require('users')];

  const buildDraft = (tx: Queries, caller: Caller): Omit<Draft, 'body' | 'current'> => ({
    services,
    tx,
    entity: users,
    caller,
    visibleReferences: new Set(),
  });

  serve(
    app,
    'POST /roles/{id}/users',
    async ({ params: { id: role }, body: { user_ids }, transaction }, { caller: editor }) => {
      const results = await transaction(async (tx, caller) => {
        const rows = await lockRows(tx, users, caller, { ids: user_ids });
        if (rows.length < new Set(user_ids).size) throw ApiError.notFound();
        const draft = buildDraft(tx, caller);
        const results: WriteResult[] = [];
        for (const row of rows) {
          const roleIds = row.role_ids as number[];
          if (roleIds.includes(role)) continue;
          results.push(
            ...(await updateRows({ ...draft, body: { values: { role_ids: [...roleIds, role] }, images: new Map() } }, [
              row,
            ])),
          );
        }
        return results;
      });
      await publishChanges({ services, entity: users, caller: editor, action: 'edit' }, results);
      return { count: results.length };
    },
  );

  serve(
    app,
    'POST /roles/{id}/replace',
    async ({ params: { id: role }, body: { replacement_id }, transaction }, { caller: editor }) => {
      if (replacement_id === role) throw ApiError.invalidAt('replacement_id', { key: 'exists' }, 'roles');
      if ((await visibleIds(db, roles, editor, [replacement_id])).length === 0)
        throw ApiError.invalidAt('replacement_id', { key: 'exists' }, 'roles');
      const results = await transaction(async (tx, caller) => {
        const roleRow = await lockRow(tx, roles, caller, { id: role });
        const holders = await readHolderIds(tx, role);
        const rows = await lockRows(tx, users, caller, { ids: holders });
        // Users out of the caller's scope would lose the role without a replacement.
        if (rows.length < holders.length) throw ApiError.forbidden();
        const draft = buildDraft(tx, caller);
        const results: WriteResult[] = [];
        for (const row of rows) {
          const role_ids = [...new Set([...(row.role_ids as number[]).filter((id) => id !== role), replacement_id])];
          results.push(...(await updateRows({ ...draft, body: { values: { role_ids }, images: new Map() } }, [row])));
        }
        await moveInvitations(tx, { entity: model.require('invitations'), caller, role, replacement_id });
        await trashRows({ services, tx, entity: roles, caller, rows: [roleRow] });
        return results;
      });
      await publishChanges({ services, entity: users, caller: editor, action: 'edit' }, results);
      await live.publish([{ entity: 'roles', id: role, type: 'deleted' }]);
      return { count: results.length };
    },
  );
};

/** Returns the ids of users with a role, without deleted users. */
export async function readHolderIds(tx: Queries, role: number): Promise<number[]> {
  const rows = await tx.select(
    { id: pg.integer },
    sql`select u.id from users_roles k join users u on u.id = k.users_id and u.deleted_at is null
      where k.roles_id = ${role}::int order by u.id`,
  );
  return rows.map(({ id }) => id);
}

/** Changes the role of open invitations to the replacement. */
async function moveInvitations(
  tx: Queries,
  {
    entity,
    caller,
    role,
    replacement_id,
  }: { entity: ModelEntity; caller: Caller; role: number; replacement_id: number },
) {
  const invitations = await tx.select(
    { id: pg.integer },
    sql`update invitations set role_id = ${replacement_id}::int where role_id = ${role}::int and deleted_at is null
      returning id`,
  );
  const auditedRows = invitations.map(({ id }) => ({
    id,
    before: { role_id: role },
    after: { role_id: replacement_id },
  }));
  await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, auditedRows);
}

/** Whether the name is one of the six built-in roles. */
export const isBuiltInRoleName = (name: unknown): boolean =>
  Object.values(namedRoles).some((role) => role.name === name);
