/** Hooks of machine types: preview of key rules; a changed offline policy applies to their machines at once. */

import type { EntityHooks } from '../../context/services';
import { serve } from '../../endpoints/serve';
import { sweepSoon } from '../../telemetry/offline/markOffline';
import { previewTypeRules } from './keyRules';

export const machineTypeHooks: EntityHooks = {
  committed: async ({ services, action, values }) => {
    if (action === 'edit' && values.offline_after !== undefined) sweepSoon(services);
  },
  routes: async (app) =>
    serve(app, 'POST /types/{id}/preview', async ({ params: { id }, body: { key_rules } }, { caller }) => ({
      data: await previewTypeRules(app.services, { caller, type: id, keyRules: key_rules ?? [] }),
    })),
};
