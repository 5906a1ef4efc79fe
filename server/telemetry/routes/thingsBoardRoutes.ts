/**
 * `/ingest/tb/api/v1/{token}/...`: HTTP API of ThingsBoard devices; the token is the secret of their tracker. Posts to
 * other paths are accepted and dropped.
 */
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { addRawParser, bodyLimit, rawBodyOf, sendEmpty } from '../../http/parsers';
import { createBatcher } from '../../shared/createBatcher';
import { answerThingsBoardRequest } from '../adapters/answerThingsBoardRequest';
import { createReceiptTimes } from '../ingest/createReceiptTimes';
import { createReceiver, UnassignedTracker } from '../ingest/receive';
import { findSenders, type Sender } from '../ingest/senders';
import { InvalidMessage } from '../timeline/observation';
import { createLongPolls, readPollTimeout } from './longPolls';

export const thingsBoardRoutes: Routes = async (app) => {
  const { services } = app;
  const receive = createReceiver(services);
  const assignReceiptTime = createReceiptTimes();
  const findSender = createBatcher((secrets: readonly string[]) => findSenders(services.db, secrets));
  const polls = createLongPolls();
  app.addHook('preClose', async () => polls.close());
  addRawParser(app, bodyLimit);

  const options = { bodyLimit, config: { public: true, unlimited: true } };
  const pollOptions = { exposeHeadRoute: false, config: { ...options.config, held: true } };
  const limits = { maxPayloadSize: bodyLimit, maxInflightMessages: 1 };

  for (const topic of ['telemetry', 'attributes'] as const)
    app.post<ByToken>(`${prefix}/${topic}`, options, async ({ params, body }, reply) => {
      const receivedAt = assignReceiptTime(params.token, services.now());
      const sender = await authenticate(params.token);
      await receive({ sender, protocol: 'thingsboard', topic, body: rawBodyOf({ body }), receivedAt }).catch(refuse);
      return sendEmpty(reply);
    });
  app.post<ByToken>(`${prefix}/rpc`, options, async ({ params, body }) => {
    await authenticate(params.token);
    return answerThingsBoardRequest('rpc', rawBodyOf({ body }), { now: services.now(), limits });
  });
  app.get<ByToken>(`${prefix}/attributes`, options, async ({ params }) => {
    await authenticate(params.token);
    return {};
  });
  // HEAD is not exposed: it would be held, too.
  for (const path of ['rpc', 'attributes/updates'] as const)
    app.get<ByToken>(`${prefix}/${path}`, pollOptions, async (request, reply) => {
      const { trackerId } = await authenticate(request.params.token);
      const timeout = readPollTimeout((request.query as Record<string, unknown>).timeout);
      await polls.hold(`${path} ${trackerId}`, { response: reply.raw, timeout });
      return reply.status(408).header('Content-Length', 0).send('');
    });
  app.post<ByToken>(`${prefix}/*`, options, async ({ params }, reply) => {
    await authenticate(params.token);
    return sendEmpty(reply);
  });

  async function authenticate(token: string): Promise<Sender> {
    const sender = await findSender(token);
    if (!sender) throw ApiError.unauthenticated();
    return sender;
  }
};

const prefix = '/ingest/tb/api/v1/:token';
interface ByToken {
  Params: { token: string };
}

function refuse(error: unknown): never {
  if (error instanceof InvalidMessage) throw ApiError.malformed();
  throw error instanceof UnassignedTracker ? ApiError.notFound() : error;
}
