/** Accepting an invitation: shows what the link of the mail invites to; accepting creates the user and logs in. */
import { sql } from 'drizzle-orm';
import { hashPassword, markVerified, storePassword } from '../../auth/password';
import { sha256 } from '../../auth/secrets';
import { clientInfoOf, createSession } from '../../auth/sessions';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { type Queries, UniqueViolation } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { sessionResponse } from './loginFlow';

export const acceptInvitationRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;

  serve(app, 'GET /invitations/token/{token}', async ({ params: { token } }) => {
    const invitation = await findOpenInvitation(db, token);
    if (!invitation) throw ApiError.notFound();
    const { email, role, client, language_id, language, expires_at } = invitation;
    return { data: { email, role, client, language_id, language, expires_at } };
  });

  serve(app, 'POST /invitations/accept', async ({ body }, request) => {
    const passwordHash = await hashPassword(body.password);
    const acceptance = await db
      .transaction(async (tx) => {
        const invitation = await findOpenInvitation(tx, body.token, true);
        if (!invitation) return undefined;
        const userId = await createUser(tx, { ...invitation, ...body });
        await storePassword(tx, userId, { passwordHash });
        await markVerified(tx, userId);
        await tx.rows(sql`update invitations set accepted = true where id = ${invitation.id}`);
        await tx.rows(sql`delete from invitation_tokens where invitation_id = ${invitation.id}`);
        const actor = { userId };
        const { email, language_id, client_id, role_id } = invitation;
        const values = {
          first_name: body.first_name,
          last_name: body.last_name,
          email,
          language_id,
          client_id,
          role_ids: [role_id],
        };
        await writeAuditEntries(tx, { entity: model.require('users'), by: actor, action: 'create' }, [
          { id: userId, after: values },
        ]);
        await writeAuditEntries(tx, { entity: model.require('invitations'), by: actor, action: 'edit' }, [
          { id: invitation.id, before: { accepted: false }, after: { accepted: true } },
        ]);
        return { userId, invitationId: invitation.id, token: await createSession(tx, userId, clientInfoOf(request)) };
      })
      .catch((error: unknown) => {
        throw error instanceof UniqueViolation ? ApiError.invalidAt('email', { key: 'taken' }, 'users') : error;
      });
    if (!acceptance) throw ApiError.invalidAt('token', { text: 'invitation_invalid' }, 'invitations');
    await live.publish([
      { entity: 'users', id: acceptance.userId, type: 'created' },
      { entity: 'invitations', id: acceptance.invitationId, type: 'updated', payload: { accepted: true } },
    ]);
    return new JsonText(await sessionResponse(services, acceptance.token));
  });
};

const invitationShape = {
  id: pg.integer,
  email: pg.text,
  role_id: pg.integer,
  role: pg.text,
  client_id: pg.integer.nullable,
  client: pg.text.nullable,
  language_id: pg.integer,
  language: pg.text.nullable,
  expires_at: pg.timestamptz,
};
type Invitation = RowOf<typeof invitationShape>;

/** Finds the invitation of a valid link. Its role and client must still exist. */
async function findOpenInvitation(db: Queries, token: string, lock = false): Promise<Invitation | undefined> {
  return db.selectOne(
    invitationShape,
    sql`
    select i.id, i.email, i.role_id, r.name as role, i.client_id, c.name as client, i.language_id,
      (select two_letter_code from languages where id = i.language_id) as language, i.expires_at
    from invitation_tokens t join invitations i on i.id = t.invitation_id and i.deleted_at is null and not i.accepted
    and i.expires_at > now()
    join roles r on r.id = i.role_id and r.deleted_at is null left join clients c on c.id = i.client_id
    where t.token_hash = ${sha256(token)} and c.deleted_at is null ${lock ? sql`for update of i` : sql``}`,
  );
}

async function createUser(
  tx: Queries,
  {
    first_name,
    last_name,
    email,
    language_id,
    client_id,
    role_id,
  }: Invitation & { first_name: string; last_name: string },
): Promise<number> {
  const user = await tx.selectOne(
    { id: pg.integer },
    sql`insert into users (first_name, last_name, email, language_id, client_id)
      values (${first_name}, ${last_name}, ${email}, ${language_id}, ${client_id}) returning id`,
  );
  const { id } = user as { id: number };
  await tx.rows(sql`insert into users_roles (users_id, roles_id) values (${id}, ${role_id})`);
  return id;
}
