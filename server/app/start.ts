/** Everything that a running server consists of, in the order in which it comes up. */

import { entities } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import { createEntityModel } from '../access/entityModel';
import type { Env } from '../context/env';
import { signingKey } from '../context/secret';
import type { Services } from '../context/services';
import { type FreeBytes, watchStorage } from '../context/storage';
import { seedBase } from '../db/base/base';
import { alertMessageJobs } from '../features/alerts/send';
import { reportMessageJobs } from '../features/reports/send';
import { expireLeases } from '../jobs/jobQueue';
import { startJobWorker } from '../jobs/jobWorker';
import { openMail } from '../mail/mail';
import { createEventBus } from '../realtime/eventBus';
import { openMqtt } from '../telemetry/mqtt/open';
import { listenForOsmAnd } from '../telemetry/routes/osmandPort';
import { ensureAdmin, type Setup } from './admin';
import { type Demo, loadDemo } from './demo';
import { entityServers } from './index';
import { openProcess, type ProcessStart } from './openProcess';
import { applyTelemetryRetention } from './partitions';
import { startPeriodicTasks } from './periodicTasks';

export interface Started<T> {
  services: Services;
  /** What `meanwhile` gave. */
  built: T;
  demo?: Demo;
  /** How to choose the first Admin's password, when nobody can log in yet. */
  setup?: Setup;
  /** Whether devices can come to the embedded MQTT broker. */
  hasBroker: boolean;
  stop(): Promise<void>;
}

export interface StartOptions<T> {
  begun?: ProcessStart;
  /** Those of `schema/index.ts` by default. */
  entities?: readonly Entity[];
  /** Done while the database is filled, which keeps its own thread busy. */
  meanwhile?(services: Services): Promise<T>;
  /** Leaves silence, alerts, forecasts and sweeping to whoever asked, who turns the clock. */
  isIdle?: boolean;
  /** How much room is free, in place of asking the system. */
  freeBytes?: FreeBytes;
}

/** Opens everything, fills an empty database and sets the background work going. */
export async function startServices<T = undefined>(
  env: Env,
  {
    begun = openProcess(env),
    entities: declared = entities,
    meanwhile,
    isIdle = false,
    freeBytes,
  }: StartOptions<T> = {},
): Promise<Started<T>> {
  const { services, close } = await openServices(env, begun, { declared, isIdle, freeBytes });
  try {
    const demo = env.demo ? await loadDemo() : undefined;
    services.demo = demo && { logins: demo.logins };
    const [setup, built] = await Promise.all([fill(services, demo), meanwhile?.(services) as Promise<T>]);
    const rest = await startWork(services, isIdle, demo);
    const stop = async () => {
      await rest.stop();
      await close();
    };
    return { services, built, demo, setup, hasBroker: rest.hasBroker, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openServices(
  env: Env,
  { log, opening }: ProcessStart,
  {
    declared,
    ...storageOptions
  }: { declared: readonly Entity[] } & Pick<StartOptions<unknown>, 'isIdle' | 'freeBytes'>,
): Promise<{ services: Services; close(): Promise<void> }> {
  const db = await opening;
  try {
    // Its one earlier process is gone.
    if (db.kind === 'pglite') await expireLeases(db);
    const key = signingKey(env);
    const mail = openMail(env, log);
    const { live, close: closeLive } = await createEventBus({ db, log });
    const storage = watchStorage({ db, dataDir: env.dataDir, log, ...storageOptions });
    const model = createEntityModel(declared, entityServers);
    const services: Services = { env, db, mail, storage, live, model, signingKey: key, log, now: () => new Date() };
    const close = async () => {
      storage.stop();
      await closeLive();
      await mail.close();
      await db.close();
    };
    return { services, close };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/**
 * What a database must hold, and the demo where it is wanted. Gives how to choose the first Admin's password, if nobody
 * has one.
 */
async function fill(services: Services, demo: Demo | undefined): Promise<Setup | undefined> {
  const { env, db, log } = services;
  // A table that is in use elsewhere is cut by a later round: rows have a place meanwhile.
  await applyTelemetryRetention(services).catch((err: unknown) =>
    log.warn({ err }, 'the tables of telemetry could not be cut'),
  );
  await seedBase(db, services.model.entities);
  // The Admin of an empty database comes before the demo's people, among whom nobody would be missed.
  if (env.admin.password) await ensureAdmin(services, env);
  await demo?.seed(db, log);
  return ensureAdmin(services, env);
}

/** What goes on beside the requests. */
async function startWork(
  services: Services,
  isIdle: boolean,
  demo: Demo | undefined,
): Promise<{ hasBroker: boolean; stop(): Promise<void> }> {
  const stops = isIdle
    ? []
    : [
        startPeriodicTasks(services),
        startJobWorker(services, alertMessageJobs(services)).stop,
        startJobWorker(services, reportMessageJobs(services)).stop,
        ...(demo ? [demo.startOlderHistory(services)] : []),
      ];
  const stopOsmAnd = await listenForOsmAnd(services);
  const mqtt = await openMqtt(services);
  const stop = async () => {
    await stopOsmAnd();
    await mqtt.stop();
    await Promise.all(stops.map((each) => each()));
  };
  return { hasBroker: mqtt.isListening, stop };
}
