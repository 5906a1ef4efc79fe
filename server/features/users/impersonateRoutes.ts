/** `POST /users/{id}/impersonate`: a short, read-only session as another user. */
import { sql } from 'drizzle-orm';
import { requireNotMorePrivileged } from '../../auth/privilege';
import { randomToken, sha256 } from '../../auth/secrets';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { JsonText, serve } from '../../endpoints/serve';
import { sessionResponse } from '../account/loginFlow';

/** Lifetime of an impersonation in minutes. */
const minutes = 30;

export const impersonateRoutes: Routes = async (app) => {
  const { services } = app;
  const { model } = services;
  const users = model.require('users');

  serve(app, 'POST /users/{id}/impersonate', async ({ params: { id }, transaction }, { caller: { userId } }) => {
    if (id === userId) throw ApiError.conflict('own_account');
    const token = randomToken();
    await transaction(async (tx, caller) => {
      await requireNotMorePrivileged(tx, model, caller, id);
      await tx.rows(sql`
        insert into sessions (token_hash, user_id, impersonated_by, expires_at)
        values (${sha256(token)}, ${id}, ${caller.userId}, now() + ${minutes}::int * interval '1 minute')`);
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'impersonate' }, [{ id }]);
    });
    return new JsonText(await sessionResponse(services, token));
  });
};
