/** Runs the server until a signal ends the process: services, application, simulator. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Env } from '../context/env';
import type { Services } from '../context/services';
import { advisoryLocks } from '../db/core/advisoryLocks';
import { buildApp } from './buildApp';
import type { AdminSetup } from './ensureAdmin';
import { guardProcess } from './faultGuard';
import { waitForProxies } from './lifecycle';
import { listenForMetrics } from './listenForMetrics';
import type { ProcessStart } from './openProcess';
import { startServices } from './startServices';

/** Milliseconds that work in progress may take after the signal to end. */
const closeTimeout = 8000;

/** Starts everything, listens, and handles the signals that end the process. */
export async function runServer(env: Env, processStart: ProcessStart): Promise<void> {
  const {
    services,
    built: app,
    demo,
    setup,
    hasBroker,
    stopJobs,
    stop,
  } = await startServices(env, { processStart, meanwhile: (opened) => buildApp(opened) });
  guardProcess({ db: services.db, log: services.log, exit: () => process.exit(1) });
  const closeMetrics = await listenForMetrics(app.metrics, env);
  await app.listen({ port: env.port, host: env.host });
  for (const line of welcome(services, setup)) console.log(line);
  const stopSimulating =
    demo && env.demoSimulator
      ? demo.startSimulator({
          baseUrl: `http://${ownAddress(app.server, env.host)}`,
          mqttUrl: hasBroker ? `mqtt://${ownName(env.host)}:${env.mqttPort}` : undefined,
          hasFrequentReporters: env.demoLively,
          isChosen: () => services.db.claim(advisoryLocks.simulator),
          log: services.log,
        })
      : async () => undefined;
  if (!env.rateLimit)
    services.log.warn('RATE_LIMIT is off: for benchmarks only; guessing passwords is not slowed down');

  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    app.lifecycle.isEnding = true;
    services.log.info({ delay: env.shutdownDelay }, 'the process ends');
    await waitForProxies(env.shutdownDelay);
    const forceClose = setTimeout(() => app.server.closeAllConnections(), closeTimeout);
    setTimeout(() => process.exit(0), closeTimeout + 1500).unref();
    await stopSimulating();
    await Promise.all([app.close(), stopJobs()]);
    await closeMetrics();
    clearTimeout(forceClose);
    await stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end());
}

/** Address at which this process can call itself. */
const ownAddress = (server: Server, host: string): string =>
  `${ownName(host)}:${(server.address() as AddressInfo).port}`;

function ownName(host: string): string {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return name.includes(':') ? `[${name}]` : name;
}

function welcome({ env: { publicUrl }, demo }: Services, setup: AdminSetup | undefined): string[] {
  const logins = demo
    ? ['Log in as:', ...demo.logins.map(({ role, email, password }) => `  ${role.padEnd(16)} ${email}  ${password}`)]
    : [];
  const link = setup
    ? [`Nobody can log in yet. Choose the password of ${setup.email} here, once, within 24 hours:`, `  ${setup.link}`]
    : [];
  return [`Sweepline is running at ${publicUrl}`, ...logins, ...link];
}
