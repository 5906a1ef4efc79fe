/**
 * `/ingest/tb/api/v1/{token}/telemetry` and `/attributes`: HTTP API of ThingsBoard devices; the token is the secret of
 * their tracker.
 */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { bodyLimit } from '../../http/parsers';
import { createBatcher } from '../../shared/batcher';
import { sendersOf } from '../ingest/devices';
import { openReceipts } from '../ingest/receipts';
import { openReceive, Unassigned } from '../ingest/receive';
import { InvalidMessage } from '../timeline/observation';

export const thingsBoardRoutes: Routes = async (app) => {
  const { services } = app;
  const receive = openReceive(services);
  const receiptOf = openReceipts();
  const senderOf = createBatcher((secrets: readonly string[]) => sendersOf(services.db, secrets));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  );

  for (const topic of ['telemetry', 'attributes'] as const)
    app.post<{ Params: { token: string } }>(
      `/ingest/tb/api/v1/:token/${topic}`,
      { bodyLimit, config: { public: true, unlimited: true } },
      async ({ params, body }, reply) => {
        const receivedAt = receiptOf(params.token, services.now());
        const sender = await senderOf(params.token);
        if (!sender) throw ApiError.unauthenticated();
        await receive({
          sender,
          protocol: 'thingsboard',
          topic,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          receivedAt,
        }).catch(refuse);
        return reply.status(200).header('Content-Length', 0).send('');
      },
    );
};

function refuse(error: unknown): never {
  if (error instanceof InvalidMessage) throw ApiError.malformed();
  throw error instanceof Unassigned ? ApiError.notFound() : error;
}
