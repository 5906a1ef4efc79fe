/** Export of the caller's personal data, and deletion of the account. */
import { sql } from 'drizzle-orm';
import { hasAdmin } from '../../auth/hasAdmin';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { JsonText, serve } from '../../endpoints/serve';
import { confirmPassword } from './confirmPassword';
import { erasePersonalData, exportPersonalData } from './personalData';

export const dataRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;
  const users = model.require('users');

  serve(app, 'GET /account/export', async (_input, { caller }, reply) => {
    const day = services.now().toISOString().slice(0, 10);
    await writeAuditEntries(db, { entity: users, by: caller, action: 'data_export' }, [{ id: caller.userId }]);
    reply.header('Content-Disposition', `attachment; filename="sweepline-${day}.json"`);
    const personalData = { exported_at: services.now(), ...(await exportPersonalData(db, caller.userId)) };
    return new JsonText(JSON.stringify(personalData, null, 2));
  });

  serve(app, 'POST /account/delete', async ({ body: { current_password }, transaction }, { caller }) => {
    await confirmPassword(db, caller, current_password);
    await transaction(async (tx) => {
      await tx.rows(sql`update users set deleted_at = now() where id = ${caller.userId}`);
      if (!(await hasAdmin(tx))) throw ApiError.conflict('last_admin');
      await erasePersonalData(tx, caller.userId);
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'account_delete' }, [{ id: caller.userId }]);
    });
    await live.publish([{ entity: 'users', id: caller.userId, type: 'deleted' }]);
  });
};
