/** `POST /ingest/hooks/{id}`: accepts messages of vendors in their own formats. */
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { unseal } from '../../context/encryptedSecret';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { addRawParser, bodyLimit, rawBodyOf } from '../../http/parsers';
import { publishIngested } from '../../telemetry/ingest/ingest';
import { InvalidMessage } from '../../telemetry/timeline/observation';
import { auditVendorMessage } from './auditVendorMessage';
import { findIntegration, integrationOwner, type VendorIntegration } from './findIntegration';
import { isVendor } from './isVendor';
import { storeVendorMessage } from './storeVendorMessage';

/** Minimum time between two updates of `last_received`, which pages show. */
const receivedInterval = '10 seconds';

export const hookRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, env, model, signingKey } = services;
  addRawParser(app, bodyLimit);

  const options = { bodyLimit, config: { unlimited: true } };
  serve(
    app,
    'POST /ingest/hooks/{id}',
    async ({ params: { id } }, request) => {
      const body = rawBodyOf(request);
      const integration = await requireIntegration(id, request, body);
      const now = services.now();
      const { counts, events } = await db
        .transaction((tx) => storeMessage(tx, integration, body, now))
        .catch(throwMalformed);
      publishIngested(services, events);
      return { data: counts };
    },
    options,
  );

  async function storeMessage(tx: Queries, integration: VendorIntegration, body: Buffer, now: Date) {
    const result = await storeVendorMessage(tx, { env, now }, { integration, body, receivedAt: now });
    await auditVendorMessage(tx, { model, integration }, result.correctedRuns);
    await tx.rows(sql`
      update integrations_state set last_received = ${now.toISOString()}::timestamptz
      where id = ${integration.id}::int
        and coalesce(last_received, '-infinity') < ${now.toISOString()}::timestamptz - ${receivedInterval}::interval`);
    return result;
  }

  /** Authenticates the vendor by the integration's secret. Throws 401, also for an unknown integration. */
  async function requireIntegration(id: number, { headers }: FastifyRequest, body: Buffer): Promise<VendorIntegration> {
    const [integration, secretRow] = await Promise.all([
      findIntegration(db, id),
      db.selectOne({ secret: pg.bytea }, sql`select secret from integration_secrets where integration_id = ${id}::int`),
    ]);
    const secret = integration && secretRow && unseal(signingKey, secretRow.secret, integrationOwner(id));
    if (!secret || !isVendor({ headers, body, preset: integration.preset }, secret)) throw ApiError.unauthenticated();
    return integration;
  }
};

function throwMalformed(error: unknown): never {
  throw error instanceof InvalidMessage ? ApiError.malformed() : error;
}
