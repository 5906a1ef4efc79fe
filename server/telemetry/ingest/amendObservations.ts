/** Merges messages into stored observations of the same time. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import type { RowOf } from '../../db/core/rowShape';
import { type ComputationSteps, runInTurns } from '../../shared/steps';
import { keyOf } from '../timeline/neighbours';
import { mergeFields } from './mergeFields';
import {
  aliasedObservationColumns,
  isAsStored,
  isSameColumnValue,
  messageRecordsSql,
  messageRow,
  messageShape,
  type ObservationRow,
  observationShape,
  storedObservationOf,
  type TimedMessage,
} from './storeMessages';

/**
 * Merges each message into the stored observation of its time. Returns the observations that changed, with their former
 * values. Leaves states that follow from keys to `carryForwardStoredKeys`.
 */
export async function amendObservations(tx: Queries, messages: readonly TimedMessage[]): Promise<AmendedObservation[]> {
  if (messages.length === 0) return [];
  const rows = await tx.select(
    observationShape,
    sql`
    select ${aliasedObservationColumns} from unnest(${sql.param(messages.map(({ machineId }) => machineId))}::int[],
      ${sql.param(messages.map(({ at }) => at.toISOString()))}::timestamptz[],
      ${sql.param(messages.map(({ message }) => message.kind))}::text[]) as g(machine_id, at, kind)
    join observations o on o.machine_id = g.machine_id and o.at = g.at and o.kind = g.kind`,
  );
  const storedRows = new Map(rows.map((row) => [keyOf(storedObservationOf(row)), row]));
  const amended = await runInTurns(findAmended(messages, storedRows));
  if (amended.length === 0) return [];
  const columns = [...Object.keys(messageShape), 'is_merged'];
  await tx.rows(sql`
    update observations o set ${sql.raw(columns.map((name) => `${name} = r.${name}`).join(', '))}
    from ${messageRecordsSql(
      amended.map(({ former: { machine_id, at, kind }, current }) => ({
        machine_id,
        at,
        kind,
        is_merged: true,
        ...current,
      })),
    )}
    where o.machine_id = r.machine_id and o.at = r.at and o.kind = r.kind`);
  return amended;
}

/** Compares each message with the stored observation of its key. Most messages only repeat it. */
function* findAmended(
  messages: readonly TimedMessage[],
  storedRows: ReadonlyMap<string, ObservationRow>,
): ComputationSteps<AmendedObservation[]> {
  const amended: AmendedObservation[] = [];
  for (const message of messages) {
    yield;
    const former = storedRows.get(keyOf({ ...message, kind: message.message.kind }));
    if (!former || isAsStored(former, message)) continue;
    const { state, reason, mode } = former;
    const mergedValues = mergeFields(valuesOf(former), valuesOf(messageRow(message)));
    const current = mergedValues.own_keys === null ? mergedValues : { ...mergedValues, state, reason, mode };
    if (
      Object.entries(current).some(([name, value]) => !isSameColumnValue(value, former[name as keyof typeof current]))
    )
      amended.push({ former, current, message });
  }
  return amended;
}

/** An observation before the change, and the message that changed it. */
export interface AmendedObservation {
  former: ObservationRow;
  /** Values after the change; state, reason and mode are the former ones if keys determine them. */
  current: MessageValues;
  message: TimedMessage;
}

type MessageValues = RowOf<typeof messageShape>;

const valuesOf = (row: object): MessageValues =>
  Object.fromEntries(
    Object.keys(messageShape).map((name) => [name, (row as Record<string, unknown>)[name] ?? null]),
  ) as MessageValues;
