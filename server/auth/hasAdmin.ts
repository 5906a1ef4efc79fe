/** Protects the last Admin: without one nobody could manage roles. */
import { sql } from 'drizzle-orm';
import { namedRoles } from '../../schema/shared/roles';
import { advisoryLocks } from '../db/core/advisoryLocks';
import type { Queries } from '../db/core/database';

/**
 * Whether an active Admin exists. Locks until the transaction ends, so that two transactions cannot each remove one of
 * the last two.
 */
export async function hasAdmin(tx: Queries): Promise<boolean> {
  await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLocks.admins})`);
  const admin = await tx.one(
    sql`select 1 from users u join users_roles k on k.users_id = u.id join roles r on r.id = k.roles_id
      where r.name = ${namedRoles.admin.name} and r.deleted_at is null and u.deleted_at is null limit 1`,
  );
  return admin !== undefined;
}
