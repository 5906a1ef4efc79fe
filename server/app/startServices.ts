/** Starts the services and the background work of a server, in order. */

import { entities } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import { createEntityModel } from '../access/entityModel';
import type { Env } from '../context/env';
import { loadSigningKey } from '../context/loadSigningKey';
import type { Services } from '../context/services';
import { type FreeBytes, watchStorage } from '../context/storage';
import { seedBase } from '../db/base/seedBase';
import { alertMessageJobs } from '../features/alerts/alertMessageJobs';
import { reportMessageJobs } from '../features/reports/reportMessageJobs';
import { expireLeases } from '../jobs/jobQueue';
import { startJobWorker } from '../jobs/jobWorker';
import { openMail } from '../mail/openMail';
import { checkObjectStorage } from '../objects/checkObjectStorage';
import { objectRemovalJobs } from '../objects/objectRemoval';
import { openObjectStorage } from '../objects/openObjectStorage';
import { createEventBus } from '../realtime/createEventBus';
import { openMqtt } from '../telemetry/mqtt/openMqtt';
import { listenForOsmAnd } from '../telemetry/routes/listenForOsmAnd';
import { applyTelemetryRetention } from './applyTelemetryRetention';
import { type Demo, loadDemo } from './demo';
import { type AdminSetup, ensureAdmin } from './ensureAdmin';
import { entityHooks } from './entityHooks';
import { openProcess, type ProcessStart } from './openProcess';
import { startPeriodicTasks } from './startPeriodicTasks';

export interface StartResult<T> {
  services: Services;
  /** Result of `meanwhile`. */
  built: T;
  demo?: Demo;
  /** Set-up link, if nobody can log in yet. */
  setup?: AdminSetup;
  /** Whether the embedded MQTT broker accepts devices. */
  hasBroker: boolean;
  /**
   * Ends periodic tasks and leases no more jobs, which other processes take over. Resolves when running jobs have
   * ended.
   */
  stopJobs(): Promise<void>;
  /** Ends everything, including jobs. */
  stop(): Promise<void>;
}

export interface StartOptions<T> {
  processStart?: ProcessStart;
  /** The entities of `schema/index.ts` by default. */
  entities?: readonly Entity[];
  /** Runs while the database is being filled, which keeps the database's own thread busy. */
  meanwhile?(services: Services): Promise<T>;
  /** Starts no background work: the caller runs it and controls the clock. */
  isIdle?: boolean;
  /** Replaces the measurement of free space. */
  freeBytes?: FreeBytes;
}

/** Opens everything, fills an empty database and starts the background work. */
export async function startServices<T = undefined>(
  env: Env,
  {
    processStart = openProcess(env),
    entities: declared = entities,
    meanwhile,
    isIdle = false,
    freeBytes,
  }: StartOptions<T> = {},
): Promise<StartResult<T>> {
  const { services, close } = await openServices(env, processStart, { declared, isIdle, freeBytes });
  try {
    const demo = env.demo ? await loadDemo() : undefined;
    services.demo = demo;
    const [setup, built] = await Promise.all([fillDatabase(services, demo), meanwhile?.(services) as Promise<T>]);
    const backgroundWork = await startWork(services, isIdle, demo);
    const stop = async () => {
      await backgroundWork.stop();
      await close();
    };
    return {
      services,
      built,
      demo,
      setup,
      hasBroker: backgroundWork.hasBroker,
      stopJobs: backgroundWork.stopJobs,
      stop,
    };
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
    // Only one process at a time opens an embedded database, so the leases of earlier processes are void.
    if (db.kind === 'pglite') await expireLeases(db);
    const key = loadSigningKey(env);
    const { live, close: closeLive } = await createEventBus({ db, log });
    const storage = watchStorage({ db, dataDir: env.dataDir, log, ...storageOptions });
    const services: Services = {
      env,
      db,
      mail: openMail({ env, db, log, signingKey: key, now: () => services.now() }),
      storage,
      objects: env.objectStorage && openObjectStorage(env.objectStorage),
      live,
      model: createEntityModel(declared, entityHooks),
      signingKey: key,
      log,
      now: () => new Date(),
    };
    const close = async () => {
      storage.stop();
      await closeLive();
      await services.mail.close();
      await db.close();
    };
    return { services, close };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Inserts base rows and the demo, if any. Returns the set-up link if no Admin can log in. */
async function fillDatabase(services: Services, demo: Demo | undefined): Promise<AdminSetup | undefined> {
  const { env, db, log } = services;
  // A table that is locked now gets its partitions in a later run; meanwhile the default partition takes its rows.
  await applyTelemetryRetention(services).catch((err: unknown) =>
    log.warn({ err }, 'the tables of telemetry could not be partitioned'),
  );
  await seedBase(db, services.model.entities);
  // Must precede the demo: otherwise a demo user would be the first Admin.
  if (env.admin.password) await ensureAdmin(services, env);
  await demo?.seed(db, log);
  return ensureAdmin(services, env);
}

/** Starts all work other than serving HTTP requests. */
async function startWork(
  services: Services,
  isIdle: boolean,
  demo: Demo | undefined,
): Promise<Pick<StartResult<unknown>, 'hasBroker' | 'stopJobs' | 'stop'>> {
  const stopFunctions = isIdle
    ? []
    : [
        startPeriodicTasks(services),
        startJobWorker(services, alertMessageJobs(services)).stop,
        startJobWorker(services, reportMessageJobs(services)).stop,
        ...(services.objects ? [startJobWorker(services, objectRemovalJobs(services)).stop] : []),
        ...(demo ? [demo.startOlderHistory(services)] : []),
      ];
  if (!isIdle) void checkObjectStorage(services);
  const stopOsmAnd = await listenForOsmAnd(services);
  const mqtt = await openMqtt(services);
  let stopped: Promise<unknown> | undefined;
  const stopJobs = async () => {
    stopped ??= Promise.all(stopFunctions.map((stopWork) => stopWork()));
    await stopped;
  };
  const stop = async () => {
    const jobs = stopJobs();
    await stopOsmAnd();
    await jobs;
    // MQTT comes last: the claims of its subscriptions pass to another process when the database is closed.
    await mqtt.stop();
  };
  return { hasBroker: mqtt.isListening, stopJobs, stop };
}
