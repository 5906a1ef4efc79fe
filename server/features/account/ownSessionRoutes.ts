/** Sessions of the caller: listed, and ended one by one or all at once. */
import { sql } from 'drizzle-orm';
import { flushUses } from '../../auth/lastUsed';
import { revokeReadAccess } from '../../auth/sessions';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { parseUserAgent } from './parseUserAgent';

const sessionShape = {
  id: pg.integer,
  agent: pg.text.nullable,
  address: pg.text.nullable,
  created_at: pg.timestamptz,
  expires_at: pg.timestamptz,
  last_used_at: pg.timestamptz,
};

export const ownSessionRoutes: Routes = async (app) => {
  const { db, model } = app.services;
  const users = model.require('users');

  serve(app, 'GET /account/sessions', async (_input, { caller }) => {
    await flushUses(db);
    const rows = await db.select(
      sessionShape,
      sql`
      select s.id, s.agent, coalesce(u.address, s.address) as address, s.created_at, s.expires_at,
      coalesce(u.last_used_at, s.created_at) as last_used_at
      from sessions s left join session_uses u on u.session_id = s.id where s.user_id = ${caller.userId}
      and s.impersonated_by is null and s.expires_at > now()
      order by s.id = ${caller.sessionId} desc, last_used_at desc, s.id`,
    );
    return {
      data: rows.map(({ agent, ...row }) => ({
        ...row,
        ...parseUserAgent(agent),
        is_current: row.id === caller.sessionId,
      })),
    };
  });

  serve(app, 'DELETE /account/sessions/{id}', async ({ params: { id }, transaction }) => {
    await transaction(async (tx, caller) => {
      const session = await tx.one(
        sql`delete from sessions where id = ${id} and user_id = ${caller.userId} returning id`,
      );
      if (!session) throw ApiError.notFound();
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'sessions_end' }, [{ id: caller.userId }]);
    });
  });

  serve(app, 'DELETE /account/sessions', async ({ transaction }) => {
    await transaction(async (tx, caller) => {
      await revokeReadAccess(tx, [caller.userId]);
      await writeAuditEntries(tx, { entity: users, by: caller, action: 'sessions_end' }, [{ id: caller.userId }]);
    });
  });
};
