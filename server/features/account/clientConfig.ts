/** What pages must know about the server that they talk to. */
import { demoLogins } from '../../../demo/seed/people';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { apiPrefix } from '../../http/http';
import { rowLimitOf } from '../imports/limits';

export const clientConfigRoutes: Routes = async (app) => {
  const { env, mail, db } = app.services;
  app.get(`${apiPrefix}/demo`, { config: { public: true } }, async () => ({ data: env.demo ? demoLogins : [] }));
  app.get(`${apiPrefix}/config`, async () => ({
    data: {
      tile_url: env.tileUrl ?? null,
      tile_attribution: env.tileAttribution ?? null,
      import_rows: rowLimitOf(db.kind).most,
    },
  }));
  app.get('/api/dev/outbox', { config: { public: true } }, async () => {
    if (!env.demo) throw ApiError.notFound();
    return { data: await mail.kept() };
  });
};
