/** `POST /ingest/hooks/{id}`: messages of vendors, unchanged. */
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { unseal } from '../../context/encryptedSecret';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { bodyLimit } from '../../http/parsers';
import { publishIngested } from '../../telemetry/ingest/ingest';
import { InvalidMessage } from '../../telemetry/timeline/observation';
import { findIntegration, integrationOwner, type VendorIntegration } from './findIntegration';
import { isVendor } from './isVendor';
import { storeVendorMessage } from './storeVendorMessage';

/** Pages show when something last came; a burst need not write that for each message. */
const receivedEvery = '10 seconds';

export const hookRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, env, signingKey } = services;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  );

  const options = { bodyLimit, config: { unlimited: true } };
  serve(
    app,
    'POST /ingest/hooks/{id}',
    async ({ params: { id } }, request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const integration = await integrationOf(id, request, body);
      const now = services.now();
      const { counts, events } = await db.transaction((tx) => store(integration, body, now)(tx)).catch(asMalformed);
      publishIngested(services, events);
      return { data: counts };
    },
    options,
  );

  const store =
    (integration: VendorIntegration, body: Buffer, now: Date) =>
    async (tx: Parameters<typeof storeVendorMessage>[0]) => {
      const result = await storeVendorMessage(tx, { env, now }, { integration, body, receivedAt: now });
      await tx.rows(sql`
        update integrations_state set last_received = ${now.toISOString()}::timestamptz
        where id = ${integration.id}::int
          and coalesce(last_received, '-infinity') < ${now.toISOString()}::timestamptz - ${receivedEvery}::interval`);
      return result;
    };

  /** The integration, if the request carries its secret. Throws 401, whether there is one or not. */
  async function integrationOf(id: number, { headers }: FastifyRequest, body: Buffer): Promise<VendorIntegration> {
    const [integration, sealed] = await Promise.all([
      findIntegration(db, id),
      db.selectOne({ secret: pg.bytea }, sql`select secret from integration_secrets where integration_id = ${id}::int`),
    ]);
    const secret = integration && sealed && unseal(signingKey, sealed.secret, integrationOwner(id));
    if (!secret || !isVendor({ headers, body, preset: integration.preset }, secret)) throw ApiError.unauthenticated();
    return integration;
  }
};

function asMalformed(error: unknown): never {
  throw error instanceof InvalidMessage ? ApiError.malformed() : error;
}
