/** Server settings that pages need. */
import { maxImportRows } from '../../../schema/shared/imports';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { serve } from '../../endpoints/serve';

export const clientConfigRoutes: Routes = async (app) => {
  const { env, mail, db, demo } = app.services;
  serve(app, 'GET /demo', async () => ({ data: demo?.logins ?? [] }));
  serve(app, 'GET /config', async () => ({
    data: {
      tile_url: env.tileUrl ?? null,
      tile_attribution: env.tileAttribution ?? null,
      import_rows: maxImportRows(db.kind),
      public_url: env.publicUrl,
    },
  }));
  app.get('/api/dev/outbox', { config: { public: true } }, async () => {
    if (!env.demo) throw ApiError.notFound();
    return { data: await mail.outbox() };
  });
};
