/**
 * Hooks of invitations: validated against the inviter's permissions and scope, mailed in the transaction that creates
 * them, valid for seven days.
 */
import { sql } from 'drizzle-orm';
import { isLanguage } from '../../../schema/shared/languages';
import { scopeWhere } from '../../access/scopeWhere';
import { findExceedingLinks, findExceedingRoles, needsClient } from '../../auth/privilege';
import { randomToken, sha256 } from '../../auth/secrets';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityHooks, Services } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { roleNameOf } from '../../i18n/messages';
import { inviteManyRoutes } from './inviteManyRoutes';

/** Validity of an invitation link in days. */
const validDays = 7;

export const invitationHooks: EntityHooks = {
  buckets: {
    progress: ({ row }) =>
      sql`case when ${row}.accepted then 'accepted' when ${row}.expires_at > now() then 'pending' else 'expired' end`,
  },

  async before({ tx, caller, services, values, current, fail }) {
    if (current?.accepted) throw ApiError.conflict('invitation_accepted');
    if (typeof values.email === 'string') {
      // Accounts outside the inviter's scope must not be revealed: such an invitation is mailed, but cannot be
      // accepted.
      const u = sql.raw('u');
      const user = await tx.one(
        sql`select 1 from users u where lower(u.email) = lower(${values.email}) and u.deleted_at is null
          and ${scopeWhere(services.model.require('users'), caller, u)}`,
      );
      if (user) fail('email', { key: 'taken' });
    }
    const role = values.role_id ?? current?.role_id;
    if (typeof role === 'number' && (await findExceedingRoles(tx, caller, [role])).length > 0)
      fail('role_id', { text: 'beyond_own_rights' });
    const client = values.client_id === undefined ? current?.client_id : values.client_id;
    if (typeof client === 'number' && (await findExceedingLinks(tx, services.model, caller, { client })).length > 0)
      fail('client_id', { text: 'beyond_own_rights' });
    if (client == null && typeof role === 'number' && (await needsClient(tx, [role])))
      fail('client_id', { key: 'choose' });
    // A changed address gets a new link.
    if (!current || values.email !== undefined) values.expires_at = expiryFrom(services.now()).toISOString();
  },

  async after({ tx, caller, services, id, current, values }) {
    if (!current || values.email !== undefined) await mailInvitation(services, tx, caller, id);
  },

  async routes(app) {
    const { services } = app;
    const invitations = services.model.require('invitations');
    await app.register(inviteManyRoutes);
    serve(app, 'POST /invitations/{id}/resend', async ({ params: { id }, transaction }, { caller: reader }) => {
      const expiresAt = expiryFrom(services.now());
      await transaction(async (tx, caller) => {
        const storedInvitation = await tx.selectOne(
          { expires_at: pg.timestamptz },
          sql`select expires_at from invitations where id = ${id} and not accepted and deleted_at is null for update`,
        );
        if (!storedInvitation) throw ApiError.conflict('invitation_accepted');
        await tx.rows(sql`update invitations set expires_at = ${expiresAt} where id = ${id}`);
        await writeAuditEntries(tx, { entity: invitations, by: caller, action: 'edit' }, [
          { id, before: { ...storedInvitation }, after: { expires_at: expiresAt } },
        ]);
        await mailInvitation(services, tx, caller, id);
      });
      await services.live.publish([
        { entity: 'invitations', id, type: 'updated', payload: { expires_at: expiresAt.toISOString() } },
      ]);
      return new JsonText(`{"data":${(await readRow(services.db, invitations, reader, { id })).data}}`);
    });
  },
};

const expiryFrom = (now: Date) => new Date(now.getTime() + validDays * 86_400_000);

const invitationMailShape = {
  email: pg.text,
  language: pg.text.nullable,
  role: pg.text,
  inviter: pg.text,
  expires_at: pg.timestamptz,
};

/** Replaces the link of an invitation and mails it in the invitee's language. */
async function mailInvitation(
  { env, mail }: Pick<Services, 'env' | 'mail'>,
  tx: Queries,
  caller: Caller,
  id: number,
): Promise<void> {
  const token = randomToken(24);
  await tx.rows(sql`
      insert into invitation_tokens (invitation_id, token_hash) values (${id}, ${sha256(token)})
      on conflict (invitation_id) do update set token_hash = excluded.token_hash, created_at = now()`);
  const invitation = await tx.selectOne(
    invitationMailShape,
    sql`
      select i.email, l.two_letter_code as language, r.name as role, i.expires_at,
        (select u.first_name || ' ' || u.last_name from users u where u.id = ${caller.userId}) as inviter
      from invitations i join roles r on r.id = i.role_id left join languages l on l.id = i.language_id
      where i.id = ${id}`,
  );
  if (!invitation) return;
  const { email, role, inviter, expires_at } = invitation;
  const language = isLanguage(invitation.language) ? invitation.language : 'en';
  const link = `${env.publicUrl}/invitation/${token}`;
  await mail.send(tx, email, language, {
    kind: 'invitation',
    name: '',
    link,
    inviter,
    role: roleNameOf(language, role),
    expires: expires_at,
  });
}
