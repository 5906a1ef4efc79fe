/**
 * API tokens of the caller: shown once, kept as a hash, never wider than what their owner may at the moment of use.
 * What they are limited to is named by permission (`machines.edit`), or by action on every resource (`*.list`).
 */
import { sql } from 'drizzle-orm';
import { integer, tags, text } from '../../../schema/dsl/field';
import { mostTokenDays } from '../../../schema/shared/account';
import { flushUses } from '../../auth/lastUsed';
import { randomToken, sha256 } from '../../auth/secrets';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/audit';
import { apiPrefix, idParam } from '../../http/http';
import { readBodyFields } from '../../http/readBody';

const path = `${apiPrefix}/account/tokens`;
/** More than anybody keeps in mind. */
const most = 50;
const fields = {
  name: text({ required: true, max: 60 }),
  days: integer({ required: true, min: 1, max: mostTokenDays }),
  permissions: tags(),
};
const shown = sql`id, name, permissions, created_at, expires_at, last_used_at, address`;

export const tokenRoutes: Routes = async (app) => {
  const { db, model } = app.services;
  const users = model.require('users');

  app.get(path, async ({ caller }) => {
    await flushUses(db);
    return {
      data: await db.rows(sql`select ${shown} from api_tokens where user_id = ${caller.userId} order by id desc`),
    };
  });

  app.post(path, async (request, reply) => {
    const { caller } = request;
    const { name, days, permissions } = (await readBodyFields(request, fields)) as {
      name: string;
      days: number;
      permissions?: string[] | null;
    };
    if (permissions?.some((code) => !code.startsWith('*.') && !caller.permissions.has(code)))
      throw ApiError.invalidAt('permissions', { text: 'beyond_own_rights' }, 'users');
    const token = `swa_${randomToken()}`;
    const made = await db.transaction(async (tx) => {
      const { count = 0 } =
        (await tx.one<{ count: number }>(
          sql`select count(*)::int as count from api_tokens where user_id = ${caller.userId}`,
        )) ?? {};
      if (count >= most) throw ApiError.conflict('too_many_tokens', { most });
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'token_create' }, [{ id: caller.userId }]);
      return tx.one<object>(sql`
        insert into api_tokens (user_id, name, token_hash, permissions, expires_at)
        values (${caller.userId}, ${name}, ${sha256(token)}, ${permissions ? sql.param(permissions) : null}::text[],
        now() + ${days}::int * interval '1 day')
        returning ${shown}`);
    });
    return reply.status(201).send({ data: { ...made, token } });
  });

  app.delete(`${path}/:id`, async (request, reply) => {
    const { caller } = request;
    await db.transaction(async (tx) => {
      const revoked = await tx.one(
        sql`delete from api_tokens where id = ${idParam(request)} and user_id = ${caller.userId} returning id`,
      );
      if (!revoked) throw ApiError.notFound();
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'token_revoke' }, [{ id: caller.userId }]);
    });
    return reply.status(204).send();
  });
};
