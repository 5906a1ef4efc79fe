/** `POST /api/v1/ingest`: batches of observations from a device with its own secret. All or nothing. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError, type FieldProblem } from '../../context/errors';
import type { Routes } from '../../context/services';
import { claimIdempotencyKey, idempotencyClaimOf, storeIdempotentResponse } from '../../crud/write/idempotency';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { JsonText, serve } from '../../endpoints/serve';
import { addRawParser, bodyLimit, rawBodyOf } from '../../http/parsers';
import { type ComputationSteps, runInTurns } from '../../shared/steps';
import { buildKeyMap, type MapKeys } from '../adapters/buildKeyMap';
import { parseDeviceTime } from '../adapters/clock';
import { isObject } from '../adapters/json';
import { parseItems, readOwn, withoutRun } from '../adapters/readOwn';
import { ingestInTransaction, publishIngested } from '../ingest/ingest';
import { printPayload } from '../ingest/receive';
import { findSender, recordUnknownDevice, type Sender } from '../ingest/senders';
import type { Incoming } from '../ingest/storeMessages';
import { readRun } from '../runs/readRun';
import { type BatchRun, storeBatchRuns } from '../runs/storeBatchRuns';
import { InvalidMessage, type Message } from '../timeline/observation';

/** Maximum observations per batch. */
const maxMessages = 10_000;
/** Milliseconds. On a busy host, a batch takes seconds to store; meanwhile it locks only the sender's machine. */
const maxSilence = 20_000;

export const batchRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;
  addRawParser(app, bodyLimit);

  const options = { bodyLimit, config: { unlimited: true } };
  serve(
    app,
    'POST /ingest',
    async (_, request) => {
      const sender = await authenticate(request);
      const device = sender.names[0] as string;
      const body = rawBodyOf(request);
      const { machineId, trackerId } = sender;
      if (machineId === null) {
        await recordUnknownDevice(services, { device, protocol: 'own', payload: printPayload(body), position: null });
        throw ApiError.notFound();
      }
      const items = readItems(body);
      const receivedAt = services.now();
      const { messages, runs } = await runInTurns(
        readBatch(items, { mapKeys: buildKeyMap(sender.keyRules ?? []), now: receivedAt }),
      );
      const rawOf = (index: number) => ({
        device,
        mediaType: 'application/json',
        body: Buffer.from(JSON.stringify(items[index])),
      });
      const incomingMessages = messages.map(
        ({ message, index }): Incoming => ({
          machineId,
          trackerId,
          protocol: 'own',
          message,
          receivedAt,
          raw: rawOf(index),
        }),
      );
      const idempotencyClaim = idempotencyClaimOf(request, createHash('sha256').update(body).digest('hex'));
      // Idempotency keys of devices share the table with those of users, under the negative id of the tracker.
      const owner = -trackerId;
      const { response, events } = await db.transaction(
        async (tx) => {
          const earlierResponse = idempotencyClaim && (await claimIdempotencyKey(tx, owner, idempotencyClaim));
          if (earlierResponse) return { response: earlierResponse, events: [] };
          const ingestResult = await ingestInTransaction(tx, incomingMessages, { env: services.env, now: receivedAt });
          const runResult = await storeBatchRuns(tx, runs, { machineId, trackerId, receivedAt, rawOf });
          const auditContext = { entity: services.model.require('runs'), by: undefined, source: device } as const;
          await writeAuditEntries(tx, { ...auditContext, action: 'edit' }, runResult.correctedRuns);
          const stored = ingestResult.stored + runResult.stored;
          const firstResponse = { status: 200, body: JSON.stringify({ data: { received: items.length, stored } }) };
          const events = [...ingestResult.events, ...runResult.events];
          if (idempotencyClaim)
            await storeIdempotentResponse(tx, { userId: owner, key: idempotencyClaim.key, response: firstResponse });
          return { response: firstResponse, events };
        },
        { maxSilence },
      );
      publishIngested(services, events);
      return new JsonText(response.body);
    },
    options,
  );

  /** Authenticates the device by its secret. Throws 401. */
  async function authenticate({ headers }: FastifyRequest): Promise<Sender> {
    const sender = await findSender(db, /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
    if (!sender) throw ApiError.unauthenticated();
    return sender;
  }
};

function readItems(body: Buffer): unknown[] {
  try {
    const items = parseItems(body);
    if (items.length > maxMessages)
      throw ApiError.invalidAt('observations', { key: 'max_entries', values: { max: maxMessages } });
    return items;
  } catch (error) {
    throw error instanceof InvalidMessage ? ApiError.malformed() : error;
  }
}

interface Batch {
  messages: { message: Message; index: number }[];
  runs: BatchRun[];
}

/** Parses observations and runs. Throws one 422 with all problems; `3.battery` is a field of the fourth item. */
function* readBatch(
  items: readonly unknown[],
  { mapKeys, now }: { mapKeys: MapKeys; now: Date },
): ComputationSteps<Batch> {
  const errors = new Map<string, FieldProblem[]>();
  const batch: Batch = { messages: [], runs: [] };
  for (const [index, item] of items.entries()) {
    yield;
    const observation = withoutRun(item);
    const report = observation === undefined ? undefined : readOwn(observation, mapKeys);
    if (report && 'message' in report) batch.messages.push({ message: report.message, index });
    else
      for (const [field, problem] of report?.problems ?? [])
        errors.set(field === '' ? String(index) : `${index}.${field}`, [problem]);
    if (!isObject(item) || !isObject(item.run)) continue;
    const deviceTime = readReportTime(item.at);
    const readResult = readRun(item.run, { deviceTime, now });
    if ('values' in readResult) batch.runs.push({ values: readResult.values, at: deviceTime, index });
    else for (const [field, problem] of readResult.problems) errors.set(`${index}.run.${field}`, [problem]);
  }
  if (errors.size > 0) throw ApiError.invalid(errors);
  return batch;
}

/** Time of a report; `undefined` if it has none or an invalid one. */
function readReportTime(value: unknown): Date | undefined {
  try {
    return value === undefined || value === null ? undefined : parseDeviceTime(value);
  } catch {
    return undefined;
  }
}
