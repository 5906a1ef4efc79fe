/** Stores runs and states of a vendor's message, and the message itself. */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { AuditedRow } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { parseJsonBody } from '../../telemetry/adapters/json';
import { ingestInTransaction } from '../../telemetry/ingest/ingest';
import type { Incoming } from '../../telemetry/ingest/storeMessages';
import { reportTimeOf } from '../../telemetry/runs/correctRun';
import { storeReportedRuns } from '../../telemetry/runs/storeReportedRuns';
import type { VendorIntegration } from './findIntegration';
import { type MessageReason, readVendorMessage, type VendorItem } from './readVendorMessage';

/** Maximum unreadable messages stored per integration, and maximum bytes of them. The latest ones remain. */
const retention = { messages: 1000, bytes: 20 * 1024 * 1024 };
/** Maximum reasons stored per message. */
const maxReasons = 20;

export interface MessageCounts {
  /** New or corrected runs, and new observations. */
  stored: number;
  /** Runs and observations that were stored before. */
  duplicates: number;
  /** Unreadable objects or messages. */
  unread: number;
}

/**
 * Reads and stores a message in the caller's transaction; the caller writes the audit entries, and publishes the events
 * after the commit.
 * @throws InvalidMessage if the body is not JSON or exceeds the limits
 */
export async function storeVendorMessage(
  tx: Queries,
  { env, now }: { env: Services['env']; now: Date },
  { integration, body, receivedAt }: { integration: VendorIntegration; body: Buffer; receivedAt: Date },
): Promise<{ counts: MessageCounts; correctedRuns: AuditedRow[]; events: LiveEvent[] }> {
  const { items, reasons } = await readVendorMessage(tx, integration, { message: parseJsonBody(body), now });
  const readableItems = items.filter((item) => item.reasons.length === 0);
  const reports = readableItems.flatMap(({ kind, index, vendorMachine, values }) =>
    kind === 'runs' && vendorMachine
      ? [{ index, machineId: vendorMachine.id, ...datedValues(values, receivedAt) }]
      : [],
  );
  const runResult = await storeReportedRuns(tx, reports, now);
  if (runResult.stored > 0) await storeRawMessage(tx, { integration, body, receivedAt });
  const runReasons = runResult.problems.map(
    ({ index, ...problem }): MessageReason => ({ kind: 'runs', index: reports[index]?.index, ...problem }),
  );
  const rejectedCount = new Set(runResult.problems.map(({ index }) => index)).size;
  const incomingMessages = readableItems.flatMap((item) => buildIncoming(item, receivedAt));
  const stateResult = await ingestInTransaction(tx, incomingMessages, { env, now });
  const stored = runResult.stored + stateResult.stored;
  const unread = items.length - readableItems.length + rejectedCount + reasons.length;
  const allReasons = [...reasons, ...items.flatMap((item) => item.reasons), ...runReasons];
  await storeUnreadableMessage(tx, { integration: integration.id, body, reasons: allReasons, receivedAt, now });
  return {
    counts: { stored, duplicates: readableItems.length - rejectedCount - stored, unread },
    correctedRuns: runResult.correctedRuns,
    events: [...runResult.events, ...stateResult.events],
  };
}

/** Values of a run, and the time of this version of its report. */
function datedValues({ reported_at: reportedAt, ...values }: Record<string, unknown>, receivedAt: Date) {
  return { values, ...reportTimeOf(typeof reportedAt === 'string' ? new Date(reportedAt) : undefined, receivedAt) };
}

/** Stores a message with runs as received. No replay reads it, because it belongs to no single machine. */
const storeRawMessage = (
  tx: Queries,
  { integration, body, receivedAt }: { integration: VendorIntegration; body: Buffer; receivedAt: Date },
): Promise<unknown> =>
  tx.rows(sql`
    insert into raw_messages (received_at, protocol, device, media_type, body)
    values (${receivedAt.toISOString()}::timestamptz, 'integration', ${`integration ${integration.id}`},
      'application/json', decode(${body.toString('base64')}, 'base64'))`);

/** Builds the message of an observation, with its values in our own format, which a replay can read. */
function buildIncoming({ vendorMachine, machine, observation, values }: VendorItem, receivedAt: Date): Incoming[] {
  if (!vendorMachine || !observation) return [];
  const { id: machineId, trackerId } = vendorMachine;
  const body = Buffer.from(JSON.stringify(values));
  const raw = { device: String(machine), mediaType: 'application/json', body };
  return [{ machineId, trackerId, protocol: 'own', message: observation, receivedAt, raw }];
}

interface StoredMessage {
  integration: number;
  body: Buffer;
  reasons: readonly MessageReason[];
  receivedAt: Date;
  now: Date;
}

/** Stores an unreadable message with its reasons, once per content. Without reasons, deletes the stored one. */
async function storeUnreadableMessage(
  tx: Queries,
  { integration, body, reasons, receivedAt, now }: StoredMessage,
): Promise<void> {
  const hash = createHash('sha256').update(body).digest('hex');
  if (reasons.length === 0) {
    await tx.rows(sql`delete from integration_messages where integration_id = ${integration}::int and hash = ${hash}`);
    return;
  }
  await tx.rows(sql`
    insert into integration_messages as m (integration_id, received_at, hash, body, size, reasons, read_at)
    values (${integration}::int, ${receivedAt.toISOString()}::timestamptz, ${hash},
      decode(${body.toString('base64')}, 'base64'), ${body.length}::int,
      ${JSON.stringify(reasons.slice(0, maxReasons))}::text::jsonb, ${now.toISOString()}::timestamptz)
    on conflict (integration_id, hash) do update set reasons = excluded.reasons, read_at = excluded.read_at,
      times = m.times + (excluded.received_at > m.received_at)::int,
      received_at = greatest(m.received_at, excluded.received_at)`);
  await tx.rows(sql`
    delete from integration_messages where id in (select id from (
      select id, row_number() over newest as place, sum(size) over newest as bytes from integration_messages
      where integration_id = ${integration}::int window newest as (order by received_at desc, id desc)
    ) m where place > ${retention.messages}::int or bytes > ${retention.bytes}::int)`);
}
