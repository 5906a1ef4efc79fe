/** Machines that send OsmAnd messages, with a clock controlled by the test. */
import { sql } from 'drizzle-orm';
import { alertMessageJobs } from '../../server/features/alerts/alertMessageJobs';
import { evaluateRules } from '../../server/features/alerts/evaluateRules';
import { runDueJobs } from '../../server/jobs/jobWorker';
import { markOffline } from '../../server/telemetry/offline/markOffline';
import type { TestApp } from './startTestApp';
import { readDeviceId } from './trackedMachine';

export interface SimulatedDevices {
  /** The time according to the clock of the whole application. */
  now(): Date;
  setTime(time: string): void;
  advance(seconds: number): void;
  /** Sends a message of a machine, dated now or at `time`. */
  report(machine: number, fields?: Record<string, string | number>, time?: Date): Promise<void>;
  /** Runs the background work once: offline sweep, alert rules, outgoing messages. */
  runJobs(): Promise<void>;
}

export function simulateDevices(app: TestApp, start = '2026-10-20T10:00:00Z'): SimulatedDevices {
  let currentTime = new Date(start);
  app.services.now = () => currentTime;
  return {
    now: () => currentTime,
    setTime(time) {
      currentTime = new Date(time);
    },
    advance(seconds) {
      currentTime = new Date(currentTime.getTime() + seconds * 1000);
    },
    async report(machine, fields = { status: 'parked' }, time = currentTime) {
      const device = await readDeviceId(app.db, machine);
      const parameters = Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]);
      const search = new URLSearchParams([['id', device], ['timestamp', String(time.getTime())], ...parameters]);
      const { status, text } = await app.call(undefined, 'GET', `/ingest/osmand?${search}`);
      if (status !== 200) throw new Error(`${status} ${text}`);
    },
    async runJobs() {
      await markOffline(app.services);
      await evaluateRules(app.services);
      await runDueJobs(app.services, alertMessageJobs(app.services));
    },
  };
}

/** Deletes all telemetry. */
export async function deleteTelemetry(app: TestApp): Promise<void> {
  for (const table of ['segments', 'observations', 'machine_watch', 'machine_days', 'machine_logs'])
    await app.db.rows(sql`delete from ${sql.identifier(table)}`);
  await app.db.rows(
    sql`update machines_state set status = 'Offline', status_since = null, battery = null, latitude = null, longitude = null`,
  );
}
