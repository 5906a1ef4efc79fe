/**
 * `npm run replay -- --machine 7 --from 2026-11-01 [--to 2026-11-08]`: after the fix of an adapter, replays the raw
 * messages received in that time; a day begins at midnight UTC. Without `--machine`, replays all machines; without
 * `--from`, from the oldest message. Uses DATABASE_URL, or the embedded database in DATA_DIR while no server has it
 * open.
 */
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { readEnv } from '../context/env';
import { pg } from '../db/core/rowShape';
import { openDatabase } from '../db/open/openDatabase';
import { openObjectStorage } from '../objects/openObjectStorage';
import { createEventBus } from '../realtime/createEventBus';
import { createAdapterSettings } from '../telemetry/adapters/readMessage';
import { replay } from '../telemetry/replay/replay';
import { retentionStart } from '../telemetry/timeline/observation';

const { values } = parseArgs({
  options: { machine: { type: 'string', multiple: true }, from: { type: 'string' }, to: { type: 'string' } },
});
/** Ends with a sentence instead of a stack trace, for invalid values. */
const exitWithError = (sentence: string): never => {
  console.error(sentence);
  process.exit(2);
};
const parseTimeOption = (name: string, value: string | undefined, fallback: Date) => {
  const time = value === undefined ? fallback : new Date(value);
  if (Number.isNaN(time.getTime()))
    exitWithError(`--${name} must be a day or a time, such as 2026-11-01 or 2026-11-01T12:00:00Z.`);
  return time;
};
const now = new Date();
const from = parseTimeOption('from', values.from, new Date(0));
const to = parseTimeOption('to', values.to, now);
const machineIds = values.machine?.map(Number);
if (machineIds?.some((id) => !Number.isInteger(id) || id < 1)) exitWithError('--machine must be the id of a machine.');

const env = readEnv(process.env);
const log = pino({ level: env.logLevel });
const db = await openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log });
try {
  const { live, close } = await createEventBus({ db, log });
  const ids =
    machineIds ??
    (
      await db.select(
        { id: pg.integer },
        sql`
        select machine_id as id from raw_messages
        where machine_id is not null and received_at between ${from.toISOString()}::timestamptz
        and ${to.toISOString()}::timestamptz
        union select m.id from machines m join raw_message_objects o on m.id between o.machine_from and o.machine_to
          and o.received_from <= ${to.toISOString()}::timestamptz
          and o.received_to >= ${from.toISOString()}::timestamptz
        order by 1`,
      )
    ).map(({ id }) => id);
  const objects = env.objectStorage && openObjectStorage(env.objectStorage);
  const settingsOf = createAdapterSettings({ env });
  for (const machineId of ids) {
    const { messages, unreadable, removed, added, events } = await replay(db, {
      machineId,
      from,
      to,
      since: retentionStart({ env, now }),
      findSettings: settingsOf,
      objects,
      now: new Date(),
    });
    await live.publish(events);
    console.log(
      `Machine ${machineId}: ${messages} messages read, ${unreadable} of them unreadable; ${removed} observations ` +
        `removed, ${added} added.`,
    );
  }
  await close();
} finally {
  await db.close();
}
