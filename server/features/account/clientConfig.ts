/** What pages must know about the server that they talk to. */
import { mostImportRows } from '../../../schema/shared/imports';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { apiPrefix } from '../../http/http';

export const clientConfigRoutes: Routes = async (app) => {
  const { env, mail, db, demo } = app.services;
  app.get(`${apiPrefix}/demo`, { config: { public: true } }, async () => ({ data: demo?.logins ?? [] }));
  app.get(`${apiPrefix}/config`, async () => ({
    data: {
      tile_url: env.tileUrl ?? null,
      tile_attribution: env.tileAttribution ?? null,
      import_rows: mostImportRows(db.kind),
    },
  }));
  app.get('/api/dev/outbox', { config: { public: true } }, async () => {
    if (!env.demo) throw ApiError.notFound();
    return { data: await mail.kept() };
  });
};
