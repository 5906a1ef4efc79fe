/** `GET /events`: live events as server-sent events, each listener's own share of them (contract: "GET /events"). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../services';
import { loadCaller, tokenHashOf } from './auth';
import { inZone } from './caller';
import { Refusal } from './errors';
import { base, searchOf } from './http';
import { eventsAfter, type NumberedEvent } from './live-bus';
import { Stream } from './live-stream';
import { issueTicket, redeemTicket, ticketSeconds } from './live-tickets';

/** More missed events than this, and the page is told to ask for everything anew. */
const mostMissed = 5000;

export const liveRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, log } = services;
  const streams = new Set<Stream>();
  const stop = live.subscribe((events) => {
    for (const stream of streams) stream.hear(events);
  });
  app.addHook('preClose', async () => {
    stop();
    for (const stream of streams) stream.end();
  });

  app.post(`${base}/events/ticket`, { config: { reads: true } }, async (request, reply) => {
    const hash = tokenHashOf(request);
    if (!hash) throw Refusal.unauthenticated();
    return reply.send({ data: { ticket: await issueTicket(app.services, hash), expires_in: ticketSeconds } });
  });

  // An answer without a body would never come to its end.
  app.get(`${base}/events`, { exposeHeadRoute: false, config: { public: true } }, async (request, reply) => {
    const asked = new URLSearchParams(searchOf(request));
    const hash = tokenHashOf(request) ?? (await redeemTicket(app.services, asked.get('ticket')));
    const caller = hash && (await loadCaller(db, hash));
    if (!hash || !caller) throw Refusal.unauthenticated();
    const missed = await missedBy(request);
    begin(reply);
    const stream = new Stream({
      response: reply.raw,
      services: app.services,
      callerNow: async () => {
        const found = await loadCaller(db, hash);
        return found && inZone(found, request.headers['time-zone']);
      },
      now: () => services.now(),
      countsAlerts: asked.get('count') === 'alerts',
    });
    stream.tellRights(inZone(caller, request.headers['time-zone']));
    streams.add(stream);
    void stream.tellAlerts(caller).catch((err: unknown) => log.warn({ err }, 'the open alerts could not be counted'));
    reply.raw.once('close', () => {
      streams.delete(stream);
      stream.end();
    });
    if (missed === 'too many') stream.send('event: reset\ndata: {}\n\n');
    else stream.hear(missed);
  });

  async function missedBy(request: FastifyRequest): Promise<NumberedEvent[] | 'too many'> {
    const last = request.headers['last-event-id'];
    if (typeof last !== 'string' || !/^\d{1,15}$/.test(last)) return [];
    const events = await eventsAfter(db, Number(last), mostMissed + 1);
    if (events.length <= mostMissed) return events;
    log.info({ last }, 'a listener came back too late');
    return 'too many';
  }
};

/** Fastify's own answer ends here: the stream is written by hand. */
function begin(reply: FastifyReply): void {
  reply.hijack();
  // Lower-case like Fastify's own, so that none is told twice.
  const headers = Object.entries(reply.getHeaders()).filter((entry): entry is [string, string] => entry[1] !== undefined);
  reply.raw.writeHead(200, {
    ...Object.fromEntries(headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Proxies that gather answers would hold events back.
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  });
  reply.raw.write('retry: 2000\n: connected\n\n');
}
