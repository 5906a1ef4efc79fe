/** `GET /events`: live events as server-sent events, limited to what each listener may see. */
import type { FastifyReply } from 'fastify';
import { loadCaller } from '../auth/loadCaller';
import { tokenHashOf, tokenKey } from '../auth/secrets';
import { ApiError } from '../context/errors';
import type { Routes } from '../context/services';
import { serve } from '../endpoints/serve';
import { openHub } from './eventHub';
import { EventStream } from './eventStream';
import { issueTicket, redeemTicket, ticketSeconds } from './streamTickets';

export const liveRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;
  const hub = openHub(services);
  app.addHook('preClose', async () => hub.close());
  app.metrics.gauge({ name: 'event_streams', help: 'Open streams of live events.', value: () => hub.size });

  serve(app, 'POST /events/ticket', async (_input, request) => {
    const hash = tokenHashOf(request);
    if (!hash) throw ApiError.unauthenticated();
    return { data: { ticket: await issueTicket(app.services, hash), expires_in: ticketSeconds } };
  });

  // HEAD is not exposed: its response would never end.
  serve(
    app,
    'GET /events',
    async ({ query: { ticket = null, count } }, request, reply) => {
      const hash = tokenHashOf(request) ?? (await redeemTicket(app.services, ticket));
      const caller = hash && (await loadCaller(db, hash));
      if (!hash || !caller) throw ApiError.unauthenticated();
      const { raw: response } = reply;
      const { headers } = request;
      const stream = new EventStream({
        response,
        caller,
        token: tokenKey(hash),
        timeZone: headers['time-zone'],
        countsAlerts: count === 'alerts',
      });
      startEventStream(reply);
      response.once('close', () => hub.leave(stream));
      // A closed response emits no further `close`.
      if (!response.destroyed) void hub.join(stream, lastEventIdOf(headers['last-event-id']));
    },
    { exposeHeadRoute: false, config: { public: true } },
  );
};

const lastEventIdOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;

/** Takes the response over from Fastify to write a stream. */
function startEventStream(reply: FastifyReply): void {
  reply.hijack();
  // Lower-case like Fastify's headers, so that none is sent twice.
  const headers = Object.entries(reply.getHeaders()).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  reply.raw.writeHead(200, {
    ...Object.fromEntries(headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Keeps proxies from buffering events.
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  });
  reply.raw.write('retry: 1000\n: connected\n\n');
}
