/** Routes for devices. `/ingest/osmand` (GET, form or JSON) is public: the message's device id names its sender. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { queryStringOf } from '../../http/http';
import { addRawParser, rawBodyOf, sendEmpty } from '../../http/parsers';
import { createBatcher } from '../../shared/createBatcher';
import { buildKeyMap, type MapKeys } from '../adapters/buildKeyMap';
import type { OsmAndReport } from '../adapters/osmAndReport';
import { isJsonRequest, type OsmAndRequest, readOsmAnd } from '../adapters/readOsmAnd';
import { createReceiptTimes } from '../ingest/createReceiptTimes';
import { intakeOf } from '../ingest/intake';
import { printPayload } from '../ingest/receive';
import { type Device, readDevices, recordUnknownDevice } from '../ingest/senders';
import { InvalidMessage } from '../timeline/observation';
import { batchRoutes } from './batchRoutes';
import { ownTracksRoutes } from './ownTracksRoutes';
import { thingsBoardRoutes } from './thingsBoardRoutes';

/** Maximum bytes of a body; messages have a few hundred. */
const bodyLimit = 64 * 1024;
const config = { public: true, unlimited: true } as const;

export const telemetryRoutes: Routes = async (app) => {
  await app.register(async (scopedApp) => addOsmAnd(scopedApp, '/ingest/osmand'));
  await app.register(batchRoutes);
  await app.register(thingsBoardRoutes);
  await app.register(ownTracksRoutes);
};

/** Adds the OsmAnd route at a path. Bodies are read as bytes, whatever their content type. */
export function addOsmAnd(app: FastifyInstance, path: string): void {
  const { services } = app;
  const intake = intakeOf(services);
  const assignReceiptTime = createReceiptTimes();
  const lookUpDevices = createBatcher(async (deviceIds: readonly (readonly string[])[]) => {
    const devices = await readDevices(services.db, [...new Set(deviceIds.flat())]);
    return deviceIds.map(() => devices);
  });
  addRawParser(app, bodyLimit);

  app.route({
    method: ['GET', 'POST'],
    url: path,
    bodyLimit,
    config,
    handler: async (request, reply) => {
      const message = readRequest(request);
      const { report, error } = readReport(message);
      const unknownDeviceError = () => (isJsonRequest(message) ? ApiError.notFound() : ApiError.malformed());
      const devices = report?.devices ?? (error?.device === undefined ? [] : [error.device]);
      if (devices.length === 0) throw ApiError.malformed();
      const receivedAt = assignReceiptTime(devices.at(-1) as string, services.now());
      const machines = await lookUpDevices(devices);
      const unknownDevices = devices.filter((device) => !machines.has(device));
      if (error) throw unknownDevices.length > 0 ? unknownDeviceError() : ApiError.malformed();
      if (unknownDevices.length > 0) {
        const payload = printPayload(rawOf(message).body);
        await recordUnknownDevice(services, {
          device: unknownDevices[0] as string,
          protocol: 'osmand',
          payload,
          position: report?.message.position ?? null,
        });
        throw unknownDeviceError();
      }
      const device = devices.at(-1) as string;
      const { keyRules, ...machine } = machines.get(device) as Device;
      // A value that a rule maps to a field may be unreadable there.
      const mappedReport = keyRules?.length ? readReport(message, buildKeyMap(keyRules)).report : report;
      if (!mappedReport) throw ApiError.malformed();
      await intake([
        {
          ...machine,
          protocol: 'osmand',
          message: mappedReport.message,
          receivedAt,
          raw: { device, ...rawOf(message) },
        },
      ]);
      // Traccar, too, responds without a body.
      return sendEmpty(reply);
    },
  });
}

const rawOf = ({ mediaType, body, search }: OsmAndRequest) =>
  body.length > 0 ? { mediaType, body } : { mediaType: 'application/x-www-form-urlencoded', body: Buffer.from(search) };

function readRequest(request: FastifyRequest): OsmAndRequest {
  return {
    search: queryStringOf(request),
    mediaType: request.headers['content-type'] ?? '',
    body: rawBodyOf(request),
  };
}

function readReport(message: OsmAndRequest, mapKeys?: MapKeys): { report?: OsmAndReport; error?: InvalidMessage } {
  try {
    return { report: readOsmAnd(message, mapKeys) };
  } catch (error) {
    if (error instanceof InvalidMessage) return { error };
    throw error;
  }
}
