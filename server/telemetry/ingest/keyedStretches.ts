/**
 * Carries state keys forward from message to message of one machine and protocol: a key applies until it is sent again.
 * Each observation stores the keys that it sent (`own_keys`) and the keys in force from it on (`state_keys`), which
 * determine state, reason and mode. So a new message needs only the observation before it, and a late message changes
 * later ones only until they send its keys again.
 */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { Protocol, StateKeys } from '../timeline/observation';
import { carryForwardKeys, stateOfKeys } from '../timeline/stateKeys';
import type { KnownMachine } from './readMachines';
import {
  type ObservationRow,
  observationColumns,
  observationShape,
  type RetainedMessage,
  type TimedMessage,
} from './storeMessages';

/** Observations per statement. */
const batchSize = 500;

/** A machine and protocol, and the stretch of time in which its observations changed. */
export interface KeyedStretch {
  machineId: number;
  protocol: Protocol;
  from: Date;
  to: Date;
}

/** Identifies an observation with state keys. */
export type KeyedObservation = Pick<TimedMessage, 'machineId' | 'protocol' | 'at'>;

/** Identifies the sequence of observations through which keys are carried forward. */
export const streamKey = ({ machineId, protocol }: Pick<KeyedStretch, 'machineId' | 'protocol'>): string =>
  `${machineId} ${protocol}`;

/** Returns the stretches of time that messages with state keys cover. */
export function buildKeyedStretches(messages: readonly KeyedObservation[]): KeyedStretch[] {
  const stretches = new Map<string, KeyedStretch>();
  for (const { machineId, protocol, at } of messages) {
    const name = streamKey({ machineId, protocol });
    const stretch = stretches.get(name);
    if (!stretch) stretches.set(name, { machineId, protocol, from: at, to: at });
    else if (at < stretch.from) stretch.from = at;
    else if (at > stretch.to) stretch.to = at;
  }
  return [...stretches.values()];
}

/** Keys in force before each stretch, in the order of `stretches`; 0 if none were sent. */
async function readKeysBefore(tx: Queries, stretches: readonly KeyedStretch[]): Promise<StateKeys[]> {
  if (stretches.length === 0) return [];
  const rows = await tx.select(
    { state_keys: pg.integer.nullable },
    sql`
    select (select o.state_keys from observations o where o.machine_id = s.machine_id and o.protocol = s.protocol
      and o.own_keys is not null and o.at < s.from_at order by o.at desc limit 1) as state_keys
    from unnest(${sql.param(stretches.map(({ machineId }) => machineId))}::int[],
    ${sql.param(stretches.map(({ protocol }) => protocol))}::text[],
      ${sql.param(stretches.map(({ from }) => from.toISOString()))}::timestamptz[])
      with ordinality as s(machine_id, protocol, from_at, place) order by s.place`,
  );
  return rows.map(({ state_keys }) => state_keys ?? 0);
}

/** Whether the message becomes an observation with state keys. */
export const isKeyed = ({ message, isCounted }: RetainedMessage): boolean =>
  isCounted && message.own_keys !== undefined;

/** Keys in force before a stretch, if the newest observation of its machine determines them. */
function findNewestKeys({ machineId, protocol, from }: KeyedStretch, machines: KnownMachines): StateKeys | undefined {
  const newest = machines.get(machineId)?.newest;
  return newest?.protocol === protocol && newest.at < from ? (newest.state_keys ?? undefined) : undefined;
}

type KnownMachines = ReadonlyMap<number, Pick<KnownMachine, 'newest'>>;

/**
 * Returns the messages with the state and mode that follow from all keys in force: their own, and those carried forward
 * from stored observations and from each other. Of several messages with the same time only the first is stored, so
 * only that one gets earlier keys.
 */
export async function carryForwardMessageKeys(
  tx: Queries,
  messages: readonly RetainedMessage[],
  machines: KnownMachines,
): Promise<RetainedMessage[]> {
  const keyedMessages = messages.filter(isKeyed).sort((a, b) => a.at.getTime() - b.at.getTime());
  const stretches = buildKeyedStretches(keyedMessages);
  const latest = new Map(
    stretches.map((stretch) => [streamKey(stretch), { at: 0, keys: findNewestKeys(stretch, machines) ?? 0 }]),
  );
  const unknownStretches = stretches.filter((stretch) => findNewestKeys(stretch, machines) === undefined);
  for (const [index, keys] of (await readKeysBefore(tx, unknownStretches)).entries())
    latest.set(streamKey(unknownStretches[index] as KeyedStretch), { at: 0, keys });
  const messagesWithKeys = new Map<RetainedMessage, RetainedMessage>();
  for (const message of keyedMessages) {
    const lastKeys = latest.get(streamKey(message)) as { at: number; keys: StateKeys };
    if (message.at.getTime() === lastKeys.at) continue;
    const ownKeys = message.message.own_keys as StateKeys;
    const keys = carryForwardKeys(lastKeys.keys, ownKeys);
    lastKeys.at = message.at.getTime();
    lastKeys.keys = keys;
    // Most messages contain every key and need none of the earlier ones.
    if (keys !== ownKeys)
      messagesWithKeys.set(message, {
        ...message,
        message: { ...message.message, ...stateOfKeys(keys) },
        stateKeys: keys,
      });
  }
  return messagesWithKeys.size === 0
    ? [...messages]
    : messages.map((message) => messagesWithKeys.get(message) ?? message);
}

/**
 * Carries keys forward again through a stretch in which observations were added or deleted, and beyond it, until
 * nothing changes. Returns the changed observations with their former values.
 */
export async function carryForwardStoredKeys(tx: Queries, stretch: KeyedStretch): Promise<ObservationRow[]> {
  const { machineId, protocol, to } = stretch;
  let keys = (await readKeysBefore(tx, [stretch]))[0] as StateKeys;
  let cursor = new Date(stretch.from.getTime() - 1);
  const changedRows: ObservationRow[] = [];
  for (;;) {
    const rows = await tx.select(
      observationShape,
      sql`
      select ${observationColumns} from observations where machine_id = ${machineId} and protocol = ${protocol}::text
      and own_keys is not null and at > ${cursor.toISOString()}::timestamptz order by at limit ${batchSize}::int`,
    );
    const corrections: object[] = [];
    let isSettled = rows.length < batchSize;
    for (const row of rows) {
      keys = carryForwardKeys(keys, row.own_keys as StateKeys);
      if (keys === row.state_keys && row.at > to) {
        isSettled = true;
        break;
      }
      if (keys === row.state_keys) continue;
      changedRows.push(row);
      corrections.push({ at: row.at.toISOString(), kind: row.kind, state_keys: keys, ...stateOfKeys(keys) });
    }
    if (corrections.length > 0) await storeCorrections(tx, machineId, corrections);
    if (isSettled) return changedRows;
    cursor = (rows.at(-1) as ObservationRow).at;
  }
}

const storeCorrections = (tx: Queries, machineId: number, corrections: readonly object[]) =>
  tx.rows(sql`
    update observations o set state_keys = c.state_keys, state = c.state, reason = c.reason, mode = c.mode
    from json_to_recordset(${JSON.stringify(corrections)}::text::json)
      as c(at timestamptz, kind text, state_keys smallint, state text, reason text, mode text)
    where o.machine_id = ${machineId} and o.at = c.at and o.kind = c.kind`);
