/** `POST /api/v1/ingest`: batches of observations from a device that has a secret of its own. All of a batch is taken or nothing. */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { hashOf } from '../api/auth';
import { claim, claimOf, keep } from '../api/entity/idempotency';
import { type FieldProblem, Refusal } from '../api/errors';
import { base, json } from '../api/http';
import { bodyLimit, deepest, isDeeper } from '../api/parsers';
import type { Routes } from '../services';
import { itemsOf, readOwn } from './adapters/own';
import { meetStranger } from './devices';
import { ingestWithin } from './ingest';
import { type Message, Unreadable } from './observation';
import type { Incoming } from './store';

/** Observations of one batch. */
const most = 10_000;

export const batchRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, live, now } = services;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, async (_request: FastifyRequest, body: Buffer) => body);

  app.post(`${base}/ingest`, { bodyLimit, config: { public: true, unlimited: true } }, async (request, reply) => {
    const device = await deviceOf(request);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { machineId } = device;
    if (machineId === null) {
      await meetStranger(services, { device: device.name, protocol: 'own', payload: body.toString('utf8').replaceAll('\0', '') });
      throw Refusal.notFound();
    }
    const items = readItems(body);
    const receivedAt = now();
    const incoming = messagesOf(items).map(
      (message, index): Incoming => ({
        machineId,
        trackerId: device.trackerId,
        protocol: 'own',
        message,
        receivedAt,
        raw: { device: device.name, mediaType: 'application/json', body: Buffer.from(JSON.stringify(items[index])) },
      }),
    );
    const claimed = claimOf(request, createHash('sha256').update(body).digest('hex'));
    // Keys of devices lie beside those of users, under the negative of the tracker's id.
    const owner = -device.trackerId;
    const { answer, events } = await db.transaction(async (tx) => {
      const earlier = claimed && (await claim(tx, owner, claimed));
      if (earlier) return { answer: earlier, events: [] };
      const { stored, events } = await ingestWithin(tx, incoming, receivedAt);
      const first = { status: 200, body: JSON.stringify({ data: { received: incoming.length, stored } }) };
      if (claimed) await keep(tx, { userId: owner, key: claimed.key, answer: first });
      return { answer: first, events };
    });
    if (events.length > 0) await live.publish(events);
    return json(reply.status(answer.status), answer.body);
  });

  /** The device whose secret the request bears: 401 without one. */
  async function deviceOf({ headers }: FastifyRequest): Promise<{ trackerId: number; name: string; machineId: number | null }> {
    const secret = /^Bearer +(swt_[A-Za-z0-9_-]{20,100})$/i.exec(headers.authorization ?? '')?.[1];
    const found =
      secret &&
      (await db.one<{ trackerId: number; name: string; machineId: number | null }>(sql`
        select t.id as "trackerId", coalesce(t.tracker_or_serial, t.refno) as name, m.id as "machineId" from tracker_secrets s
        join trackers t on t.id = s.tracker_id and t.deleted_at is null left join machines m on m.tracker_id = t.id and m.deleted_at is null where s.hash = ${hashOf(secret)}`));
    if (!found) throw Refusal.unauthenticated();
    return found;
  }
};

function readItems(body: Buffer): unknown[] {
  try {
    const items = itemsOf(body);
    if (isDeeper(items, deepest)) throw Refusal.malformed();
    if (items.length > most) throw Refusal.invalidAt('observations', { key: 'max_entries', values: { max: most } });
    return items;
  } catch (error) {
    throw error instanceof Unreadable ? Refusal.malformed() : error;
  }
}

/** The messages, or one 422 with everything that is wrong: `3.battery` is a field of the fourth observation. */
function messagesOf(items: readonly unknown[]): Message[] {
  const errors = new Map<string, FieldProblem[]>();
  const messages = items.flatMap((item, index) => {
    const report = readOwn(item);
    if ('message' in report) return [report.message];
    for (const [field, problem] of report.problems) errors.set(field === '' ? String(index) : `${index}.${field}`, [problem]);
    return [];
  });
  if (errors.size > 0) throw Refusal.invalid(errors);
  return messages;
}
