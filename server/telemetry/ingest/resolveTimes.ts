/** Decides the time of each observation, and which messages become one observation. */
import { sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { Queries } from '../../db/core/database';
import { keyOf } from '../timeline/neighbours';
import { stateOfKeys } from '../timeline/stateKeys';
import { mergeFields } from './mergeFields';
import {
  aliasedObservationColumns,
  isAsStored,
  observationShape,
  storableTime,
  type TimedMessage,
} from './storeMessages';

/** Identifies the observation that a message becomes. */
export const keyOfMessage = ({ machineId, at, message: { kind } }: TimedMessage): string =>
  keyOf({ machineId, at, kind });

/**
 * Assigns times to messages of untrusted clocks, so that each counts once, however often it is sent: a repeat (same
 * device time, same content) gets the time at which the first one was received. Different messages with the same time
 * of receipt are spaced a millisecond apart. The machines must be locked.
 */
export async function resolveTimes<T extends TimedMessage>(tx: Queries, messages: readonly T[]): Promise<T[]> {
  const untrustedMessages = messages.filter(({ untrustedAt }) => untrustedAt);
  if (untrustedMessages.length === 0) return [...messages];
  const repeatedTimes = await readRepeatedTimes(tx, untrustedMessages);
  const usedKeys = new Set(messages.filter(({ untrustedAt }) => !untrustedAt).map(keyOfMessage));
  const earlierTimes = new Map<string, Date>();
  // The last time assigned in place of each key; the search for the next free time starts there.
  const lastTimes = new Map<string, Date>();
  return messages.map((message) => {
    const { machineId, untrustedAt } = message;
    if (!untrustedAt) return message;
    const content = JSON.stringify([machineId, untrustedAt.getTime(), { ...message.message, at: null }]);
    let at = repeatedTimes.get(message) ?? earlierTimes.get(content);
    if (!at) {
      const wantedKey = keyOfMessage(message);
      at = lastTimes.get(wantedKey) ?? message.at;
      while (usedKeys.has(keyOfMessage({ ...message, at }))) at = new Date(at.getTime() + 1);
      lastTimes.set(wantedKey, at);
    }
    usedKeys.add(keyOfMessage({ ...message, at }));
    earlierTimes.set(content, at);
    return { ...message, at };
  });
}

/** Finds the stored observations that messages repeat. Returns their times, by message. */
async function readRepeatedTimes(tx: Queries, messages: readonly TimedMessage[]): Promise<Map<TimedMessage, Date>> {
  const rows = await tx.select(
    observationShape,
    sql`
    select ${aliasedObservationColumns} from (
      select distinct * from unnest(${sql.param(messages.map(({ machineId }) => machineId))}::int[],
        ${sql.param(messages.map(({ untrustedAt }) => storableTime(untrustedAt as Date).toISOString()))}::timestamptz[])
    ) as g(machine_id, device_at)
    join observations o on o.machine_id = g.machine_id and o.device_at = g.device_at order by o.at`,
  );
  const deviceTimeKey = (machineId: number, kind: string, at: Date | null) => `${machineId} ${kind} ${at?.getTime()}`;
  const rowsByKey = new Map<string, typeof rows>();
  for (const row of rows) addToGroup(rowsByKey, deviceTimeKey(row.machine_id, row.kind, row.device_at), row);
  return new Map(
    messages.flatMap((message): [TimedMessage, Date][] => {
      const deviceAt = storableTime(message.untrustedAt as Date);
      const candidates = rowsByKey.get(deviceTimeKey(message.machineId, message.message.kind, deviceAt));
      const row = candidates?.find((other) => isAsStored(other, message));
      return row ? [[message, row.at]] : [];
    }),
  );
}

/** Merges the messages of one observation: the first of them with the fields of all. */
export function mergeMessages<T extends TimedMessage>(messages: readonly [T, ...T[]]): T {
  const [first, ...others] = messages;
  if (others.length === 0) return first;
  const message = mergeAll(messages.map((entry) => entry.message));
  const keyState = message.own_keys === undefined ? {} : stateOfKeys(message.own_keys);
  const { protocol } = messages.map((entry) => ({ protocol: entry.protocol })).reduce((a, b) => mergeFields(a, b));
  return { ...first, protocol, rawProtocol: first.protocol, message: { ...message, ...keyState }, isMerged: true };
}

/** Merges halves, because merging one by one would go through all attributes so far for each message. */
function mergeAll<M extends object>(messages: readonly M[]): M {
  const [first, second] = messages;
  if (!second) return first as M;
  const middle = Math.ceil(messages.length / 2);
  return mergeFields(mergeAll(messages.slice(0, middle)), mergeAll(messages.slice(middle)));
}
