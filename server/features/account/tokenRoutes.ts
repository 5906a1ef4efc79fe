/**
 * API tokens of the caller: shown once, stored as hash, never exceeding their owner's permissions at the time of use.
 * Limited by permission (`machines.edit`), or by action on every resource (`*.list`).
 */
import { sql } from 'drizzle-orm';
import { flushUses } from '../../auth/lastUsed';
import { randomToken, sha256 } from '../../auth/secrets';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { pg, type RowOf, shapeOf } from '../../db/core/rowShape';
import { apiTokens } from '../../db/schema/session';
import { serve } from '../../endpoints/serve';

/** Maximum tokens per user. */
const maxTokens = 50;
const tokenShape = shapeOf(
  apiTokens,
  'id',
  'name',
  'permissions',
  'created_at',
  'expires_at',
  'last_used_at',
  'address',
);
const columns = sql.raw(Object.keys(tokenShape).join(', '));

export const tokenRoutes: Routes = async (app) => {
  const { db, model } = app.services;
  const users = model.require('users');

  serve(app, 'GET /account/tokens', async (_input, { caller }) => {
    await flushUses(db);
    return {
      data: await db.select(
        tokenShape,
        sql`select ${columns} from api_tokens where user_id = ${caller.userId} order by id desc`,
      ),
    };
  });

  serve(app, 'POST /account/tokens', async ({ body: { name, days, permissions }, transaction }, { caller: owner }) => {
    if (permissions?.some((code) => !code.startsWith('*.') && !owner.permissions.has(code)))
      throw ApiError.invalidAt('permissions', { text: 'beyond_own_rights' }, 'users');
    const token = `swa_${randomToken()}`;
    const made = await transaction(async (tx, caller) => {
      const { count = 0 } =
        (await tx.selectOne(
          { count: pg.integer },
          sql`select count(*)::int as count from api_tokens where user_id = ${caller.userId}`,
        )) ?? {};
      if (count >= maxTokens) throw ApiError.conflict('too_many_tokens', { most: maxTokens });
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'token_create' }, [{ id: caller.userId }]);
      return tx.selectOne(
        tokenShape,
        sql`
        insert into api_tokens (user_id, name, token_hash, permissions, expires_at)
        values (${caller.userId}, ${name}, ${sha256(token)}, ${permissions ? sql.param(permissions) : null}::text[],
        now() + ${days}::int * interval '1 day')
        returning ${columns}`,
      );
    });
    return { data: { ...(made as RowOf<typeof tokenShape>), token } };
  });

  serve(app, 'DELETE /account/tokens/{id}', async ({ params: { id }, transaction }) => {
    await transaction(async (tx, caller) => {
      const revoked = await tx.one(
        sql`delete from api_tokens where id = ${id} and user_id = ${caller.userId} returning id`,
      );
      if (!revoked) throw ApiError.notFound();
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'token_revoke' }, [{ id: caller.userId }]);
    });
  });
};
