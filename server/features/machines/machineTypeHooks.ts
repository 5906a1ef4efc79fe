/** Hooks of machine types: a changed offline policy applies to their machines at once. */

import type { EntityHooks } from '../../context/services';
import { sweepSoon } from '../../telemetry/offline/sweep';

export const machineTypesServer: EntityHooks = {
  committed: async ({ services, action, values }) => {
    if (action === 'edit' && values.offline_after !== undefined) sweepSoon(services);
  },
};
