/** `POST /users/{id}/impersonate`: a short session that sees the product as another user does, and changes nothing. */
import { sql } from 'drizzle-orm';
import { registry } from '../../../schema/index';
import { note } from '../../api/audit';
import { hashOf, personally, randomToken } from '../../api/auth';
import { may } from '../../api/caller';
import { Refusal } from '../../api/errors';
import { base, idOf, json } from '../../api/http';
import { refuseStronger } from '../../api/rights';
import { visible } from '../../api/scope';
import { beginning } from '../../api/session/enter';
import type { Routes } from '../../services';

/** How long a view lasts. */
const minutes = 30;
const { users } = registry;

export const impersonateRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;

  app.post(`${base}/users/:id/impersonate`, { onRequest: personally }, async (request, reply) => {
    const { caller } = request;
    may(caller, 'users.impersonate');
    const id = idOf(request);
    await visible(db, users, caller, id);
    if (id === caller.userId) throw Refusal.conflict('own_account');
    const token = randomToken();
    await db.transaction(async (tx) => {
      await refuseStronger(tx, caller, id);
      await tx.rows(sql`
        insert into sessions (token_hash, user_id, impersonated_by, expires_at)
        values (${hashOf(token)}, ${id}, ${caller.userId}, now() + ${minutes}::int * interval '1 minute')`);
      await note(tx, { entity: users, by: caller, action: 'impersonate' }, [{ id }]);
    });
    return json(reply, await beginning(services, token));
  });
};
