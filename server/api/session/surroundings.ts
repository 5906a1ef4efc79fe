/** What pages must know about the server that they talk to. */
import { demoLogins } from '../../db/seed/people';
import { rowLimitOf } from '../../import/limits';
import type { Routes } from '../../services';
import { Refusal } from '../errors';
import { base } from '../http';

export const surroundings: Routes = async (app) => {
  const { env, mail, db } = app.services;
  app.get(`${base}/demo`, { config: { public: true } }, async () => ({ data: env.demo ? demoLogins : [] }));
  app.get(`${base}/config`, async () => ({
    data: { tile_url: env.tileUrl ?? null, tile_attribution: env.tileAttribution ?? null, import_rows: rowLimitOf(db.kind).most },
  }));
  app.get('/api/dev/outbox', { config: { public: true } }, async () => {
    if (!env.demo) throw Refusal.notFound();
    return { data: await mail.kept() };
  });
};
