/** What pages must know about the server that they talk to. */
import { demoLogins } from '../../db/seed/people';
import type { Routes } from '../../services';
import { Refusal } from '../errors';
import { base } from '../http';

export const surroundings: Routes = async (app) => {
  const { env, mail } = app.services;
  app.get(`${base}/demo`, { config: { public: true } }, async () => ({ data: env.demo ? demoLogins : [] }));
  app.get(`${base}/config`, async () => ({ data: { tile_url: env.tileUrl ?? null, tile_attribution: env.tileAttribution ?? null } }));
  app.get('/api/dev/outbox', { config: { public: true } }, async () => {
    if (!env.demo) throw Refusal.notFound();
    return { data: await mail.kept() };
  });
};
