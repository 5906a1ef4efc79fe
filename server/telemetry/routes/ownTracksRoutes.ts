/**
 * `POST /ingest/owntracks`: HTTP mode of the OwnTracks apps. The sender is `{user}/{device}` or `{device}`, from the
 * headers `X-Limit-U` and `X-Limit-D`, else from `?u=&d=`, else the user of HTTP Basic. A password that is the secret
 * of a tracker takes precedence.
 */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { addRawParser, bodyLimit, rawBodyOf } from '../../http/parsers';
import { createBatcher } from '../../shared/createBatcher';
import { readOwnTracks } from '../adapters/readOwnTracks';
import { isStorable } from '../adapters/requireStorable';
import { createReceiptTimes } from '../ingest/createReceiptTimes';
import { intakeOf } from '../ingest/intake';
import { printPayload } from '../ingest/receive';
import { findSenders, readDevices, recordUnknownDevice } from '../ingest/senders';
import { InvalidMessage } from '../timeline/observation';

export const ownTracksRoutes: Routes = async (app) => {
  const { services } = app;
  const intake = intakeOf(services);
  const assignReceiptTime = createReceiptTimes();
  const findSender = createBatcher((secrets: readonly string[]) => findSenders(services.db, secrets));
  const lookUpDevice = createBatcher(async (ids: readonly (readonly string[])[]) => {
    const devices = await readDevices(services.db, [...new Set(ids.flat())]);
    return ids.map((names) => names.map((id) => devices.get(id)).find((device) => device !== undefined));
  });
  addRawParser(app, bodyLimit);

  app.post<{ Querystring: Record<string, unknown> }>(
    '/ingest/owntracks',
    { bodyLimit, config: { public: true, unlimited: true } },
    async (request) => {
      const body = rawBodyOf(request);
      const { ids, secret } = readSender(request);
      if (!ids.every(isStorable)) throw ApiError.malformed();
      const sender = secret === undefined ? undefined : await findSender(secret);
      if (secret !== undefined && !sender) throw ApiError.unauthenticated();
      const [device] = sender?.names ?? ids;
      if (device === undefined) throw ApiError.malformed();
      const receivedAt = assignReceiptTime(device, services.now());
      const message = parseBody(body);
      if (!message) return [];
      const { machineId, trackerId } = sender ?? (await lookUpDevice(ids)) ?? {};
      if (typeof machineId !== 'number' || trackerId === undefined) {
        const { position } = message;
        await recordUnknownDevice(services, { device, protocol: 'owntracks', payload: printPayload(body), position });
        throw ApiError.notFound();
      }
      const raw = { device, mediaType: 'application/json', body };
      await intake([{ machineId, trackerId, protocol: 'owntracks', message, receivedAt, raw }]);
      return [];
    },
  );
};

/** Device ids of the sender, most specific first, and the secret that it logs in with. */
function readSender({ headers, query }: FastifyRequest<{ Querystring: Record<string, unknown> }>): {
  ids: string[];
  secret: string | undefined;
} {
  const nonEmptyText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const credentials = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
  const user = nonEmptyText(headers['x-limit-u']) ?? nonEmptyText(query.u) ?? nonEmptyText(name);
  const device = nonEmptyText(headers['x-limit-d']) ?? nonEmptyText(query.d);
  const ids = device === undefined ? [user] : [user && `${user}/${device}`, device];
  return {
    ids: ids.filter((id) => id !== undefined),
    secret: password?.startsWith('swt_') ? password : undefined,
  };
}

function parseBody(body: Buffer) {
  try {
    return readOwnTracks(body);
  } catch (error) {
    throw error instanceof InvalidMessage ? ApiError.malformed() : error;
  }
}
