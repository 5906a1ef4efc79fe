/** What is kept about the caller, to take along; and the end of the account. */
import { sql } from 'drizzle-orm';
import { text } from '../../../schema/dsl/field';
import { users } from '../../../schema/entities/users';
import { hasAdmin } from '../../entities/users';
import type { Routes } from '../../services';
import { asked } from '../ask';
import { note } from '../audit';
import { Refusal } from '../errors';
import { base } from '../http';
import { confirmPassword } from '../session/confirm';
import { forget, keptAbout } from './kept';

export const dataRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live } = services;

  app.get(`${base}/account/export`, async ({ caller }, reply) => {
    const day = services.now().toISOString().slice(0, 10);
    await note(db, { entity: users, by: caller, action: 'data_export' }, [{ id: caller.userId }]);
    return reply
      .header('Content-Disposition', `attachment; filename="sweepline-${day}.json"`)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ exported_at: services.now(), ...(await keptAbout(db, caller.userId)) }, null, 2));
  });

  app.post(`${base}/account/delete`, async (request, reply) => {
    const { caller } = request;
    const { current_password } = (await asked(request, { current_password: text({ max: 1000 }) })) as { current_password?: string | null };
    await confirmPassword(db, caller, current_password);
    await db.transaction(async (tx) => {
      await tx.rows(sql`update users set deleted_at = now() where id = ${caller.userId}`);
      if (!(await hasAdmin(tx))) throw Refusal.conflict('last_admin');
      await forget(tx, caller.userId);
      await note(tx, { entity: users, by: caller, action: 'account_delete' }, [{ id: caller.userId }]);
    });
    await live.publish([{ entity: 'users', id: caller.userId, type: 'deleted' }]);
    return reply.status(204).send();
  });
};
