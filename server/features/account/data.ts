/** What is kept about the caller, to take along; and the end of the account. */
import { sql } from 'drizzle-orm';
import { text } from '../../../schema/dsl/field';
import { hasAdmin } from '../../auth/lastAdmin';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/audit';
import { apiPrefix } from '../../http/http';
import { readBodyFields } from '../../http/readBody';
import { confirmPassword } from './confirm';
import { erasePersonalData, exportPersonalData } from './personalData';

export const dataRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;
  const users = model.require('users');

  app.get(`${apiPrefix}/account/export`, async ({ caller }, reply) => {
    const day = services.now().toISOString().slice(0, 10);
    await writeAuditEntries(db, { entity: users, by: caller, action: 'data_export' }, [{ id: caller.userId }]);
    return reply
      .header('Content-Disposition', `attachment; filename="sweepline-${day}.json"`)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ exported_at: services.now(), ...(await exportPersonalData(db, caller.userId)) }, null, 2));
  });

  app.post(`${apiPrefix}/account/delete`, async (request, reply) => {
    const { caller } = request;
    const { current_password } = (await readBodyFields(request, { current_password: text({ max: 1000 }) })) as {
      current_password?: string | null;
    };
    await confirmPassword(db, caller, current_password);
    await db.transaction(async (tx) => {
      await tx.rows(sql`update users set deleted_at = now() where id = ${caller.userId}`);
      if (!(await hasAdmin(tx))) throw ApiError.conflict('last_admin');
      await erasePersonalData(tx, caller.userId);
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'account_delete' }, [{ id: caller.userId }]);
    });
    await live.publish([{ entity: 'users', id: caller.userId, type: 'deleted' }]);
    return reply.status(204).send();
  });
};
