/**
 * Hooks of users: they store addresses and passwords, limit what may be granted, and ensure that an Admin always
 * remains.
 */

import { type SQL, sql } from 'drizzle-orm';
import { counterDays } from '../../../schema/features/dashboard';
import { requireVisible } from '../../access/scopeWhere';
import { hasAdmin } from '../../auth/hasAdmin';
import { hashPassword, storePassword } from '../../auth/password';
import { mailAccountNotice } from '../../auth/person';
import {
  findExceedingLinks,
  findExceedingRoles,
  needsClient,
  requireNotMorePrivileged,
  type UserLinks,
} from '../../auth/privilege';
import { revokeAllAccess } from '../../auth/sessions';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityHooks, WriteContext } from '../../context/services';
import { readList } from '../../crud/read/readList';
import { JsonText, serve } from '../../endpoints/serve';
import { apiPrefix, queryStringOf } from '../../http/http';
import { accessRoutes } from './accessRoutes';
import { emailsSql, mergeEmails, storeEmails } from './emails';
import { impersonateRoutes } from './impersonateRoutes';

/** Link fields of a user by kind. */
const linkFields = {
  client: 'client_id',
  clients: 'client_ids',
  countries: 'country_ids',
  fleets: 'fleet_ids',
  locations: 'location_ids',
  machines: 'machine_ids',
} as const satisfies Record<keyof UserLinks, string>;

export const userHooks: EntityHooks = {
  derived: { emails: ({ row }) => emailsSql(row), date_joined: ({ row }) => sql`${row}.created_at` },

  buckets: {
    activity: ({ row, state }) => sql`case when ${row}.created_at >= ${daysAgo(counterDays.new_users)} then 'new'
      when coalesce(${state}.last_login, ${row}.created_at) < ${daysAgo(counterDays.inactive_users)} then 'inactive'
      else 'active' end`,
  },

  own: {
    fields: ['first_name', 'last_name', 'email', 'emails', 'phone', 'image', 'language_id', 'allow_sms', 'allow_email'],
    is: (caller, id) => caller.userId === id,
    hiddenDuplicates: (caller) => (maySetAnyAddress(caller) ? [] : ['email']),
  },

  async before(context) {
    const { tx, caller, services, id, values, current, fail } = context;
    if (id === caller.userId && caller.tokenId !== undefined) throw ApiError.forbidden();
    if (current && id !== caller.userId) await requireNotMorePrivileged(tx, services.model, caller, id);
    // Users change their own password only with the current one: a page left open must not give away the account.
    if (current && id === caller.userId && typeof values.password === 'string')
      fail('password', { text: 'own_password' });
    if ((await findExceedingRoles(tx, caller, addedIds(context, 'role_ids'))).length > 0)
      fail('role_ids', { text: 'beyond_own_rights' });
    for (const link of await findExceedingLinks(tx, services.model, caller, addedLinks(context)))
      fail(linkFields[link], { text: 'beyond_own_rights' });
    const { role_ids, client_id } = { ...current, ...values };
    if (
      (values.role_ids !== undefined || values.client_id !== undefined) &&
      client_id == null &&
      (await needsClient(tx, idsOf(role_ids)))
    )
      fail('client_id', { key: 'choose' });
    if (current && typeof values.password === 'string' && values.password_confirmation === undefined)
      fail('password_confirmation', { key: 'same' });
    mergeEmails(context);
    if (id === caller.userId && !maySetAnyAddress(caller) && !(await isOwnAddressVerified(context)))
      fail('email', { text: 'address_unverified' });
  },

  async after(context) {
    const { tx, caller, services, id, values, current, fail } = context;
    await storeEmails(tx, id, { values, storedEmail: current?.email });
    if (typeof values.password === 'string') {
      const currentSession = id === caller.userId ? caller.sessionId : undefined;
      await storePassword(tx, id, { passwordHash: await hashPassword(values.password), keep: currentSession });
      if (current) await mailAccountNotice(services, tx, id, 'password_changed');
    }
    // Roles and links together determine the scope, so both are validated again as stored, whichever of them was sent.
    await requireNotMorePrivileged(tx, services.model, caller, id);
    if (current && Array.isArray(values.role_ids) && !(await hasAdmin(tx))) fail('role_ids', { text: 'last_admin' });
  },

  async beforeDelete({ tx, caller, services, id }) {
    if (id === caller.userId) throw ApiError.conflict('own_account');
    await requireNotMorePrivileged(tx, services.model, caller, id);
    await revokeAllAccess(tx, [id]);
    await tx.rows(sql`delete from password_resets where user_id = ${id}`);
    // Deleted at once, so that the next row of a bulk deletion does not count this Admin.
    await tx.rows(sql`update users set deleted_at = now() where id = ${id}`);
    if (!(await hasAdmin(tx))) throw ApiError.conflict('last_admin');
  },

  async routes(app) {
    const { services } = app;
    await app.register(accessRoutes);
    await app.register(impersonateRoutes);
    serve(app, 'GET /users/getUsersByCompanyCustomerAdmin/{clientId}', async ({ params: { clientId } }, request) => {
      await requireVisible(services.db, services.model.require('clients'), request.caller, clientId);
      const path = `${services.env.publicUrl}${apiPrefix}/users/getUsersByCompanyCustomerAdmin/${clientId}`;
      const listRequest = { search: queryStringOf(request), path, extraWhere: sql`m.client_id = ${clientId}::int` };
      return new JsonText(await readList(services, services.model.require('users'), request.caller, listRequest));
    });
  },
};

/** SQL: start of a past day (UTC), as the dashboard counts days. */
const daysAgo = (days: number): SQL =>
  sql`((now() at time zone 'UTC')::date - ${sql.raw(String(days))})::timestamp at time zone 'UTC'`;

const idsOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : [];

/** Ids in a list of links that are not stored yet. */
function addedIds({ values, current }: WriteContext, field: string): number[] {
  const storedIds = idsOf(current?.[field]);
  return idsOf(values[field]).filter((id) => !storedIds.includes(id));
}

function addedLinks(context: WriteContext): Partial<UserLinks> {
  const { client_id } = context.values;
  const lists = (['clients', 'countries', 'fleets', 'locations', 'machines'] as const).map((link) => [
    link,
    addedIds(context, linkFields[link]),
  ]);
  return { ...Object.fromEntries(lists), client: typeof client_id === 'number' ? client_id : null };
}

/** Callers with scope `all` can see all addresses anyway. */
const maySetAnyAddress = ({ scopes }: Caller): boolean => scopes.has('all');

/** Whether the new primary address of one's own account is verified; a change of case needs no verification. */
async function isOwnAddressVerified({ tx, id, values, current }: WriteContext): Promise<boolean> {
  const { email } = values;
  if (
    typeof email !== 'string' ||
    (typeof current?.email === 'string' && current.email.toLowerCase() === email.toLowerCase())
  )
    return true;
  return (
    (await tx.one(
      sql`select 1 from user_emails where user_id = ${id} and lower(email) = lower(${email}) and verified`,
    )) !== undefined
  );
}
