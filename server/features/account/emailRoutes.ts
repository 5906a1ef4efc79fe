/** E-mail addresses of the caller: adding, verifying by mail, choosing the primary one. */
import { sql } from 'drizzle-orm';
import { countAttempt } from '../../auth/attemptLimit';
import { personLanguage, personShape, personSql } from '../../auth/person';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { type Database, type Queries, UniqueViolation } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { sendVerification, verifyEmail } from './verification';

const maxAddresses = 10;

const addressShape = {
  id: pg.integer,
  email: pg.text,
  verified: pg.boolean,
  primary: pg.boolean,
};
type Address = RowOf<typeof addressShape>;

export const emailRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, mail, model } = services;
  const users = model.require('users');

  serve(app, 'GET /account/emails', async (_input, { caller }) => ({ data: await syncAddresses(db, caller.userId) }));

  serve(app, 'POST /account/emails', async ({ body: { email: address }, transaction }, { caller: { userId } }) => {
    requireNewAddress(await syncAddresses(db, userId), address);
    // Does not reveal whether another user has the address: only readers of its mail can verify it.
    await countAttempt(db, { key: `addresses of ${userId}`, maxAttempts: 10, seconds: 600 });
    await transaction(async (tx, caller) => {
      await lockUser(tx, userId);
      const addresses = await readAddresses(tx, userId);
      requireNewAddress(addresses, address);
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'edit' }, [
        { id: userId, before: { emails: addresses }, after: { emails: [...addresses, { email: address }] } },
      ]);
      const emailRow = await tx.selectOne(
        { id: pg.integer },
        sql`insert into user_emails (user_id, email, position) values (${userId}, ${address}, ${addresses.length})
          returning id`,
      );
      if (emailRow) await sendVerification(services, tx, userId, emailRow.id);
    });
    return { data: await readAddresses(db, userId) };
  });

  serve(
    app,
    'POST /account/emails/{id}/verification',
    async ({ params: { id }, transaction }, { caller: { userId } }) => {
      const address = await requireAddress(userId, id);
      if (address.verified) throw ApiError.conflict('address_verified');
      await countAttempt(db, { key: `verification of ${address.id}`, maxAttempts: 3, seconds: 600 });
      await transaction((tx) => sendVerification(services, tx, userId, address.id));
    },
  );

  serve(app, 'POST /account/emails/{id}/primary', async ({ params: { id }, transaction }, { caller: { userId } }) => {
    const address = await requireAddress(userId, id);
    if (!address.verified) throw ApiError.invalidAt('email', { text: 'address_unverified' }, 'users');
    const person = await db.selectOne(personShape, personSql(sql`u.id = ${userId}`));
    await transaction(async (tx, caller) => {
      await tx.rows(sql`update users set email = ${address.email} where id = ${userId}`);
      const change = { id: userId, before: { email: person?.email }, after: { email: address.email } };
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'edit' }, [change]);
      await tx.rows(sql`delete from password_resets where user_id = ${userId}`);
      if (person && !address.primary)
        await mail.send(tx, person.email, personLanguage(person), { kind: 'email_changed', name: person.first_name });
    }).catch((error: unknown) => {
      throw error instanceof UniqueViolation ? ApiError.invalidAt('email', { key: 'taken' }, 'users') : error;
    });
    await live.publish([{ entity: 'users', id: userId, type: 'updated' }]);
    return { data: await readAddresses(db, userId) };
  });

  serve(app, 'DELETE /account/emails/{id}', async ({ params: { id }, transaction }, { caller: { userId } }) => {
    const address = await requireAddress(userId, id);
    if (address.primary) throw ApiError.conflict('primary_address');
    const addresses = await readAddresses(db, userId);
    await transaction(async (tx, caller) => {
      await tx.rows(sql`delete from user_emails where id = ${address.id}`);
      const change = {
        id: userId,
        before: { emails: addresses },
        after: { emails: addresses.filter((other) => other.id !== address.id) },
      };
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'edit' }, [change]);
    });
  });

  async function requireAddress(userId: number, id: number): Promise<Address> {
    const address = (await syncAddresses(db, userId)).find((entry) => entry.id === id);
    if (!address) throw ApiError.notFound();
    return address;
  }
};

/** Public routes: the link of the mail works without a log-in. */
export const verificationRoutes: Routes = async (app) => {
  const { services } = app;
  serve(app, 'POST /emails/verify', async ({ body: { token } }) => {
    if (!(await verifyEmail(services, token))) throw ApiError.invalidAt('token', { text: 'link_invalid' }, 'users');
    return { verified: true };
  });
};

/** Throws 422 if the user has the address, or the maximum number of addresses. */
function requireNewAddress(addresses: readonly Address[], address: string): void {
  if (addresses.some((entry) => entry.email.toLowerCase() === address.toLowerCase()))
    throw ApiError.invalidAt('email', { key: 'distinct' }, 'users');
  if (addresses.length >= maxAddresses)
    throw ApiError.invalidAt('email', { key: 'max_entries', values: { max: maxAddresses } }, 'users');
}

/** Locks the user, so that concurrent requests do not add the same address twice. */
const lockUser = (tx: Queries, userId: number) => tx.rows(sql`select 1 from users where id = ${userId} for update`);

/**
 * Returns all addresses of the user, the primary one first. Adds the row of the primary address if it is missing,
 * because creating and editing a user may set `users.email` only.
 */
async function syncAddresses(db: Database, userId: number): Promise<Address[]> {
  const addresses = await readAddresses(db, userId);
  if (addresses[0]?.primary) return addresses;
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await tx.rows(sql`
      insert into user_emails (user_id, email) select u.id, u.email from users u
      where u.id = ${userId} and not exists (select 1 from user_emails e where e.user_id = u.id
      and lower(e.email) = lower(u.email))`);
  });
  return readAddresses(db, userId);
}

const readAddresses = (db: Queries, userId: number): Promise<Address[]> =>
  db.select(
    addressShape,
    sql`
    select e.id, e.email, e.verified, lower(e.email) = lower(u.email) as primary from user_emails e
    join users u on u.id = e.user_id
    where e.user_id = ${userId} order by lower(e.email) = lower(u.email) desc, e.position, e.id`,
  );
