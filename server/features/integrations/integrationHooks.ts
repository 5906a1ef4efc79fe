/** Hooks of integrations: number of unreadable messages, and calls. */
import { sql } from 'drizzle-orm';
import type { EntityHooks } from '../../context/services';
import { hookRoutes } from './hookRoutes';
import { integrationRoutes } from './integrationRoutes';

export const integrationHooks: EntityHooks = {
  derived: {
    unread: ({ row }) =>
      sql`(select count(*)::int from integration_messages message where message.integration_id = ${row}.id)`,
  },
  async routes(app) {
    await app.register(integrationRoutes);
    await app.register(hookRoutes);
  },
};
