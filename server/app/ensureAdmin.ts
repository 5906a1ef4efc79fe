/**
 * Ensures a first Admin: from the environment, or with a set-up link printed at start. Nobody becomes Admin just by
 * being the first to visit.
 */
import { sql } from 'drizzle-orm';
import { namedRoles } from '../../schema/shared/roles';
import { hashPassword, storePassword } from '../auth/password';
import { randomToken } from '../auth/secrets';
import type { Env } from '../context/env';
import type { EntityModel, Services } from '../context/services';
import { writeAuditEntries } from '../crud/write/writeAuditEntries';
import { advisoryLocks } from '../db/core/advisoryLocks';
import { type Queries, UniqueViolation } from '../db/core/database';
import { pg } from '../db/core/rowShape';
import { createReset } from '../features/account/resetRoutes';

/** Lifetime of a set-up link in minutes. A later start prints a new one. */
const setupMinutes = 24 * 60;
/** Placeholder address of the first Admin, until the environment names one. */
const setupEmail = 'admin@sweepline.local';

export interface AdminSetup {
  /** Address of the Admin whose password the link sets. */
  email: string;
  link: string;
}

/**
 * Ensures that somebody can log in as Admin. Does nothing if an Admin has a password, or signs in by the identity
 * provider, so variables left in the environment never restore an Admin.
 * @returns the set-up link, if no Admin can log in
 */
export async function ensureAdmin(
  { db, model }: Pick<Services, 'db' | 'model'>,
  { admin, publicUrl, oidc }: Pick<Env, 'admin' | 'publicUrl' | 'oidc'>,
): Promise<AdminSetup | undefined> {
  const passwordHash = admin.password && (await hashPassword(admin.password));
  const token = randomToken(24);
  return db
    .transaction((tx) => ensureWithin(tx))
    .catch((error: unknown) => {
      if (!(error instanceof UniqueViolation) || !admin.email) throw error;
      throw new Error(
        `SWEEPLINE_ADMIN_EMAIL: ${admin.email} belongs to a user who is not an Admin. ` +
          `Choose another address, or give that user the role.`,
        { cause: error },
      );
    });

  async function ensureWithin(tx: Queries): Promise<AdminSetup | undefined> {
    await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLocks.admins})`);
    // Somebody without a password who has logged in signed in by the identity provider.
    const signsIn = oidc ? sql`or t.last_login is not null` : undefined;
    const adminWhoLogsIn = await tx.one(sql`
      select u.id from ${admins} left join user_secrets s on s.user_id = u.id left join users_state t on t.id = u.id
      where s.user_id is not null ${signsIn} limit 1`);
    if (adminWhoLogsIn) return undefined;
    const existing = await tx.selectOne(
      { id: pg.integer, email: pg.text },
      sql`select u.id, u.email from ${admins} order by u.id limit 1`,
    );
    const { id, email: storedEmail } = existing ?? (await createAdmin(tx, model, admin.email));
    // Only the placeholder is replaced: any other address belongs to the Admin who entered it.
    const email = storedEmail === setupEmail ? (admin.email ?? setupEmail) : storedEmail;
    if (email !== storedEmail) await tx.rows(sql`update users set email = ${email} where id = ${id}`);
    if (passwordHash) await storePassword(tx, id, { passwordHash });
    else await createReset(tx, id, { token, minutes: setupMinutes });
    return passwordHash ? undefined : { email, link: `${publicUrl}/resetpassword/${token}` };
  }
}

const admins = sql`users u join users_roles k on k.users_id = u.id join roles r on r.id = k.roles_id
  and r.name = ${namedRoles.admin.name} and r.deleted_at is null and u.deleted_at is null`;

async function createAdmin(
  tx: Queries,
  model: EntityModel,
  email = setupEmail,
): Promise<{ id: number; email: string }> {
  const user = await tx.selectOne(
    { id: pg.integer },
    sql`
    insert into users (first_name, last_name, email, language_id, is_staff)
    select 'Admin', 'Sweepline', ${email}, id, true from languages where two_letter_code = 'en' and deleted_at is null
    returning id`,
  );
  const { id } = user as { id: number };
  await tx.rows(
    sql`insert into users_roles (users_id, roles_id) select ${id}, id from roles where name = ${namedRoles.admin.name}
      and deleted_at is null`,
  );
  await writeAuditEntries(tx, { entity: model.require('users'), by: undefined, action: 'create' }, [
    { id, after: { email, is_staff: true } },
  ]);
  return { id, email };
}
