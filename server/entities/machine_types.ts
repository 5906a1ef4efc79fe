/** What machine types do beyond every entity: their machines follow another limit of silence at once. */
import { sweepSoon } from '../telemetry/silence';
import type { EntityHooks } from './types';

export const machineTypesServer: EntityHooks = {
  committed: async ({ services, action, values }) => {
    if (action === 'edit' && values.offline_after !== undefined) sweepSoon(services);
  },
};
