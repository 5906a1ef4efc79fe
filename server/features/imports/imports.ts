/** Hooks of imports: routes, and extra properties in answers. */
import { sql } from 'drizzle-orm';
import type { EntityHooks } from '../../context/services';
import { detailsOf } from './answer';
import { viewerOf } from './importer';
import { keptDays } from './retention';
import { importRoutes } from './routes';

export const importsServer: EntityHooks = {
  files: sql`select 'imports/' || id from imports where deleted_at is null
    and created_at > now() - ${sql.raw(`interval '${keptDays} days'`)}`,
  viewer: viewerOf,
  shown: detailsOf,
  routes: importRoutes,
};
