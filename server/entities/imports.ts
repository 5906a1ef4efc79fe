/** Imports: their own calls, and what the answer for one says beside its fields. */
import { sql } from 'drizzle-orm';
import { detailsOf } from '../import/answer';
import { viewerOf } from '../import/importer';
import { keptDays } from '../import/kept';
import { importRoutes } from '../import/routes';
import type { EntityHooks } from './types';

export const importsServer: EntityHooks = {
  files: sql`select 'imports/' || id from imports where deleted_at is null and created_at > now() - ${sql.raw(`interval '${keptDays} days'`)}`,
  viewer: viewerOf,
  shown: detailsOf,
  routes: importRoutes,
};
