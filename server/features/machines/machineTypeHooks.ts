/**
 * Hooks of machine types, and the preview of their key rules. A changed offline policy applies to machines of the type
 * at once; a changed pause between runs also applies to past runs.
 */

import { sql } from 'drizzle-orm';
import type { EntityHooks } from '../../context/services';
import { serve } from '../../endpoints/serve';
import { sweepSoon } from '../../telemetry/offline/markOffline';
import { previewTypeRules } from './keyRules';

export const machineTypeHooks: EntityHooks = {
  afterEdit: async (changes) => {
    for (const { tx, id, values, current } of changes)
      if (values.run_pause !== undefined && values.run_pause !== current.run_pause)
        await tx.rows(sql`
          insert into run_changes (machine_id, from_at, to_at)
          select s.machine_id, min(s.from_at), max(s.from_at) from segments s join machines m on m.id = s.machine_id
          where m.type_id = ${id}::int and s.state = 'Cleaning' group by 1 order by 1`);
  },
  afterCommit: async ({ services, action, values }) => {
    if (action === 'edit' && values.offline_after !== undefined) sweepSoon(services);
  },
  routes: async (app) =>
    serve(app, 'POST /types/{id}/preview', async ({ params: { id }, body: { key_rules } }, { caller }) => ({
      data: await previewTypeRules(app.services, { caller, type: id, keyRules: key_rules ?? [] }),
    })),
};
