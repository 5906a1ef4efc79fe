/** Previews key rules with recent messages, and replays stored messages with changed rules. */
import { type SQL, sql } from 'drizzle-orm';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { type AdapterSettings, createAdapterSettings, readMessage } from '../../telemetry/adapters/readMessage';
import { truncate } from '../../telemetry/adapters/requireStorable';
import { printPayload } from '../../telemetry/ingest/receive';
import { type ReplayResult, replayInTransaction } from '../../telemetry/replay/replay';
import { InvalidMessage, type Protocol, retentionStart } from '../../telemetry/timeline/observation';

/** Maximum messages in a preview, and maximum machines of a type to take them from, most recently seen first. */
const maxMessages = 10;
const maxMachines = 100;
/** Maximum characters of a message. */
const maxLength = 500;

const rawShape = {
  received_at: pg.timestamptz,
  protocol: pg.text.as<Protocol>(),
  media_type: pg.text,
  body: pg.bytea,
  typeRules: pg.text.array.nullable,
};

/** Previews rules for a tracker. Without rules, those of the machine's type apply. */
export const previewTrackerRules = (services: PreviewServices, tracker: number, keyRules: readonly string[]) =>
  previewKeyRules(services, {
    keyRules,
    machines: sql`
      select m.id, m.tracker_id, y.key_rules from machines m left join types y on y.id = m.type_id
      where m.tracker_id = ${tracker} and m.deleted_at is null`,
  });

/**
 * Previews rules for a machine type, with messages of trackers that the caller may see and that have no rules of their
 * own.
 */
export const previewTypeRules = (
  services: PreviewServices & Pick<Services, 'model'>,
  { caller, type, keyRules }: { caller: Caller; type: number; keyRules: readonly string[] },
) =>
  previewKeyRules(services, {
    keyRules,
    machines: sql`
      select m.id, m.tracker_id, null::text[] as key_rules from machines m
      join machines_state s on s.id = m.id join trackers t on t.id = m.tracker_id
      where m.type_id = ${type} and m.deleted_at is null and nullif(t.key_rules, '{}') is null
        and ${scopeWhere(services.model.require('trackers'), caller, sql.raw('t'))}
      order by s.last_seen desc nulls last limit ${maxMachines}::int`,
  });

type PreviewServices = Pick<Services, 'db' | 'env'>;

/**
 * Returns the newest messages, each with what the rules read from it. `machines` selects id, tracker_id, and the key
 * rules that apply if `keyRules` is empty.
 */
async function previewKeyRules(
  { db, env }: PreviewServices,
  { machines, keyRules }: { machines: SQL; keyRules: readonly string[] },
) {
  const rows = await db.select(
    rawShape,
    sql`
    select r.received_at, r.protocol, r.media_type, r.body, m.key_rules as "typeRules" from (${machines}) m
    cross join lateral (
      select id, received_at, protocol, media_type, body from raw_messages
      where machine_id = m.id and tracker_id = m.tracker_id
      order by received_at desc, id desc limit ${maxMessages}::int
    ) r order by r.received_at desc, r.id desc limit ${maxMessages}::int`,
  );
  const settingsOf = createAdapterSettings({ env });
  return rows.map(({ received_at, protocol, media_type, body, typeRules }) => {
    const settings = settingsOf({ cleaningActions: null, keyRules: keyRules.length > 0 ? keyRules : typeRules });
    return {
      received_at: received_at.toISOString(),
      protocol,
      sent: truncate(printPayload(body), maxLength),
      read: interpret(protocol, { mediaType: media_type, body }, settings),
    };
  });
}

/** What the last message in a payload says; null if the payload is invalid or has no message. */
function interpret(protocol: Protocol, message: { mediaType: string; body: Uint8Array }, settings: AdapterSettings) {
  try {
    const last = readMessage(protocol, message, settings).at(-1)?.message;
    return last ? { state: last.state, mode: last.mode, battery: last.battery, attributes: last.attributes } : null;
  } catch (error) {
    if (error instanceof InvalidMessage) return null;
    throw error;
  }
}

/** Maximum messages of a replay and their total bytes, so that other requests wait only briefly. */
const replayLimits = { messages: 1000, bytes: 128 * 1024 };

/**
 * Replays the newest stored messages of the machine with this tracker, if there is one. `npm run replay` replays all
 * messages.
 */
export async function replayTracker(
  tx: Queries,
  { env, now: clock }: Pick<Services, 'env' | 'now'>,
  tracker: number,
): Promise<ReplayResult> {
  const now = clock();
  const machine = await tx.selectOne(
    { id: pg.integer, from: pg.timestamptz.nullable },
    sql`
    select m.id, (
      select min(received_at) from (
        select received_at, sum(length(body)) over (order by received_at desc, id desc) as bytes from (
          select id, received_at, body from raw_messages where machine_id = m.id
          order by received_at desc, id desc limit ${replayLimits.messages}::int
        ) newest
      ) r where bytes <= ${replayLimits.bytes}::int
    ) as from from machines m where m.tracker_id = ${tracker} and m.deleted_at is null`,
  );
  if (!machine?.from) return { messages: 0, unreadable: 0, removed: 0, added: 0, events: [] };
  return replayInTransaction(tx, {
    machineId: machine.id,
    from: machine.from,
    to: now,
    keepsMerged: true,
    since: retentionStart({ env, now }),
    findSettings: createAdapterSettings({ env }),
    now,
  });
}
