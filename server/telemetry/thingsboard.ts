/** `/ingest/tb/api/v1/{token}/telemetry` and `/attributes`: devices set up for ThingsBoard send here, with the secret of their tracker as token. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api/errors';
import { bodyLimit } from '../api/parsers';
import type { Routes } from '../services';
import { sendersOf } from './devices';
import { createBatcher } from './gathered';
import { InvalidMessage } from './observation';
import { openReceipts } from './receipts';
import { openReceive, Unassigned } from './receive';

export const thingsBoardRoutes: Routes = async (app) => {
  const { services } = app;
  const receive = openReceive(services);
  const receiptOf = openReceipts();
  const senderOf = createBatcher((secrets: readonly string[]) => sendersOf(services.db, secrets));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, async (_request: FastifyRequest, body: Buffer) => body);

  for (const topic of ['telemetry', 'attributes'] as const)
    app.post<{ Params: { token: string } }>(
      `/ingest/tb/api/v1/:token/${topic}`,
      { bodyLimit, config: { public: true, unlimited: true } },
      async ({ params, body }, reply) => {
        const receivedAt = receiptOf(params.token, services.now());
        const sender = await senderOf(params.token);
        if (!sender) throw ApiError.unauthenticated();
        await receive({ sender, protocol: 'thingsboard', topic, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), receivedAt }).catch(refuse);
        return reply.status(200).header('Content-Length', 0).send('');
      },
    );
};

function refuse(error: unknown): never {
  if (error instanceof InvalidMessage) throw ApiError.malformed();
  throw error instanceof Unassigned ? ApiError.notFound() : error;
}
