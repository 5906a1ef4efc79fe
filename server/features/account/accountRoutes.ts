/**
 * Account settings: language, password, user token, end of sessions, reset of the second factor. Everybody may change
 * their own; those of another user require `users.edit` and at least that user's permissions and scope.
 */
import { sql } from 'drizzle-orm';
import { requireVisible } from '../../access/scopeWhere';
import { hashPassword, storePassword } from '../../auth/password';
import { mailAccountNotice } from '../../auth/person';
import { requireNotMorePrivileged } from '../../auth/privilege';
import { removeSecondFactor } from '../../auth/secondFactor';
import { revokeAllAccess } from '../../auth/sessions';
import { signUserToken } from '../../auth/userToken';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { confirmPassword } from './confirmPassword';

export const accountRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;
  const users = model.require('users');

  serve(
    app,
    'PUT /users/{id}/language',
    async ({ params: { id }, body: { language_id }, transaction }, { caller: reader }) => {
      await requireMayManage(reader, id);
      const language = await db.one(sql`select id from languages where id = ${language_id} and deleted_at is null`);
      if (!language) throw ApiError.invalidAt('language_id', { key: 'exists' }, 'users');
      await transaction(async (tx, caller) => {
        const storedUser = await tx.selectOne(
          { language_id: pg.integer.nullable },
          sql`select language_id from users where id = ${id} for update`,
        );
        await tx.rows(
          sql`update users set language_id = ${language_id}
          where id = ${id} and language_id is distinct from ${language_id}::int`,
        );
        await writeAuditEntries(tx, { entity: users, by: caller, action: 'edit' }, [
          { id, before: { ...storedUser }, after: { language_id } },
        ]);
      });
      await live.publish([{ entity: 'users', id, type: 'updated' }]);
      return new JsonText(`{"data":${(await readRow(db, users, reader, { id })).data}}`);
    },
  );

  serve(app, 'GET /languages/{id}/token', async ({ params: { id } }, { caller }) => {
    const language = await db.one(sql`select id from languages where id = ${id} and deleted_at is null`);
    if (!language) throw ApiError.notFound();
    return { user_token: await signUserToken(services, db, caller.userId, caller.impersonatedBy) };
  });

  serve(app, 'POST /users/{id}/password', async ({ params: { id }, body, transaction }, { caller: editor }) => {
    const isOwn = id === editor.userId;
    await requireMayManage(editor, id);
    if (isOwn && !body.current_password) throw ApiError.invalidAt('current_password', { key: 'required' }, 'users');
    if (isOwn) await confirmPassword(db, editor, body.current_password);
    const passwordHash = await hashPassword(body.password);
    await transaction(async (tx, caller) => {
      await storePassword(tx, id, { passwordHash, keep: isOwn ? caller.sessionId : undefined });
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'edit' }, [{ id, after: { password: true } }]);
      await mailAccountNotice(services, tx, id, 'password_changed');
    });
  });

  serve(app, 'DELETE /users/{id}/sessions', async ({ params: { id }, transaction }, { caller: editor }) => {
    if (id === editor.userId) throw ApiError.conflict('own_account');
    await requireMayManage(editor, id);
    await transaction(async (tx, caller) => {
      await revokeAllAccess(tx, [id]);
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'sessions_end' }, [{ id }]);
    });
  });

  serve(app, 'DELETE /users/{id}/second-factor', async ({ params: { id }, transaction }, { caller: editor }) => {
    if (id === editor.userId) throw ApiError.conflict('own_account');
    await requireMayManage(editor, id);
    // Permission to set a password must not bypass the second factor.
    if (!editor.scopes.has('all')) throw ApiError.forbidden();
    await transaction(async (tx, caller) => {
      if (!(await removeSecondFactor(tx, id))) throw ApiError.notFound();
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'second_factor_reset' }, [{ id }]);
      await mailAccountNotice(services, tx, id, 'second_factor_off');
    });
  });

  serve(app, 'GET /users/refreshInformationAboutUser/{id}', async ({ params: { id } }, { caller }) => {
    // The token names countries and roles: only callers with scope `all` may request another user's.
    if (id !== caller.userId) {
      await requireVisible(db, users, caller, id);
      if (!caller.scopes.has('all')) throw ApiError.forbidden();
      requirePermission(caller, 'users.show');
    }
    const [{ data }, user_token] = await Promise.all([
      readRow(db, users, caller, { id }),
      signUserToken(services, db, id, id === caller.userId ? caller.impersonatedBy : undefined),
    ]);
    return new JsonText(`{"data":${data},"user_token":${JSON.stringify(user_token)}}`);
  });

  async function requireMayManage(caller: Caller, id: number): Promise<void> {
    if (id === caller.userId) return;
    await requireVisible(db, users, caller, id);
    requirePermission(caller, 'users.edit');
    await requireNotMorePrivileged(db, model, caller, id);
  }
};
