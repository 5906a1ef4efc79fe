/** Writes the machine log: device errors, and clocks that are not trusted. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { currentErrorsAttribute, type DeviceError } from '../timeline/observation';
import { storableTime, type TimedMessage } from './storeMessages';

/**
 * Logs the errors in new messages. Must be called after the messages are stored. Of `deviceErrors`, each is logged
 * once, when it appears; without that list, `error` is logged with every message.
 */
export async function logDeviceErrors(tx: Queries, newMessages: readonly TimedMessage[]): Promise<void> {
  const previous = await readPrecedingErrors(
    tx,
    newMessages.filter(({ message }) => (message.deviceErrors ?? []).length > 0),
  );
  const rows = newMessages.flatMap((timedMessage) => {
    const { machineId, at, untrustedAt: deviceTime, message } = timedMessage;
    const ownErrors: DeviceError[] =
      message.error === null ? [] : [{ code: message.error, message: message.message, level: 'error' }];
    const errors = message.deviceErrors?.filter(({ code }) => !previous.get(timedMessage)?.has(code)) ?? ownErrors;
    return [
      ...errors.map((error) => ({ machine_id: machineId, at, kind: 'error', ...error })),
      ...(deviceTime
        ? [{ machine_id: machineId, at, level: 'warning', kind: 'clock', device_at: loggedTime(deviceTime) }]
        : []),
    ];
  });
  if (rows.length === 0) return;
  await tx.rows(sql`
    insert into machine_logs (machine_id, at, level, kind, code, message, device_at)
    select machine_id, at, level, kind, code, message, device_at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(
      machine_id int, at timestamptz, level text, kind text, code text, message text, device_at timestamptz)`);
}

/** Error codes of the previous observation of the same kind, by message. */
async function readPrecedingErrors(
  tx: Queries,
  messages: readonly TimedMessage[],
): Promise<Map<TimedMessage, Set<string>>> {
  if (messages.length === 0) return new Map();
  const rows = await tx.select(
    { errors: pg.text.nullable },
    sql`
    select (select o.attributes->>${currentErrorsAttribute}::text from observations o
      where o.machine_id = input.machine_id and o.kind = input.kind and o.at < input.at order by o.at desc
      limit 1) as errors
    from unnest(${sql.param(messages.map(({ machineId }) => machineId))}::int[],
    ${sql.param(messages.map(({ at }) => at.toISOString()))}::timestamptz[],
      ${sql.param(messages.map(({ message }) => message.kind))}::text[]) with ordinality as input(machine_id, at, kind,
      place) order by place`,
  );
  return new Map(messages.map((message, index) => [message, new Set(rows[index]?.errors?.split('\n') ?? [])]));
}

/** Null for a time that cannot be stored as it is (`storableTime`). */
const loggedTime = (instant: Date) =>
  storableTime(instant).getTime() === instant.getTime() ? instant.toISOString() : null;
