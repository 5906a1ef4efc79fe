/** `GET /dashboard/installation`: the health of the installation itself, for callers with scope `all`. */
import { sql } from 'drizzle-orm';
import { installationList, sendingJobs } from '../../../schema/features/dashboard';
import { failureDays } from '../../../schema/features/inbox';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { countFilteredList } from './countFilteredList';

export const installationRoutes: Routes = async (app) => {
  const { services } = app;

  serve(app, 'GET /dashboard/installation', async (_input, { caller }) => {
    if (!caller.scopes.has('all')) throw ApiError.forbidden();
    const now = services.now();
    const failedSince = new Date(now.getTime() - failureDays * 86_400_000).toISOString();
    const [devices, imports, jobs] = await Promise.all([
      countFilteredList(services, caller, installationList('devices', now)),
      countFilteredList(services, caller, installationList('imports', now)),
      services.db.selectOne(
        { waiting: pg.integer, failed: pg.integer, waiting_since: pg.timestamptz.nullable },
        sql`select count(*) filter (where state <> 'dead')::int as waiting,
            count(*) filter (where state = 'dead')::int as failed,
            min(created_at) filter (where state <> 'dead') as waiting_since
          from jobs where kind = any(${sql.param([...sendingJobs])}::text[])
            and (state in ('queued', 'running') or (state = 'dead' and done_at > ${failedSince}::timestamptz))`,
      ),
    ]);
    const { waiting = 0, failed = 0, waiting_since } = jobs ?? {};
    return { data: { devices, imports, waiting, failed, waiting_since: waiting_since?.toISOString() ?? null } };
  });
};
