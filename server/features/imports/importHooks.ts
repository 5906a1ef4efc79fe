/** Hooks of imports: their calls, and extra properties of responses. */
import { sql } from 'drizzle-orm';
import type { EntityHooks } from '../../context/services';
import { importViewer } from './importer';
import { readImportDetails } from './importResponses';
import { importRoutes } from './importRoutes';
import { importRetentionDays } from './retention';

export const importHooks: EntityHooks = {
  files: sql`select 'imports/' || id from imports where deleted_at is null
    and created_at > now() - ${sql.raw(`interval '${importRetentionDays} days'`)}`,
  viewer: importViewer,
  extraFields: readImportDetails,
  routes: importRoutes,
};
