/** Everything that a running server consists of, in the order in which it comes up. */
import { entities } from '../schema/index';
import { ensureAdmin, type Setup } from './admin';
import { openLive } from './api/live-bus';
import { begin } from './begin';
import { seedBase } from './db/base';
import { isEmpty, seedDemo } from './db/seed/demo';
import { keepRecalling } from './db/seed/past';
import type { Env } from './env';
import { keepForecasting } from './jobs/service';
import { keepSweeping } from './jobs/sweep';
import { openMail } from './mail/mail';
import { signingKey } from './secret';
import type { Services } from './services';
import { openMqtt } from './telemetry/mqtt/open';
import { listenForOsmAnd } from './telemetry/osmand-port';
import { watchSilence } from './telemetry/silence';

export interface Started {
  services: Services;
  /** How to choose the first Admin's password, when nobody can log in yet. */
  setup?: Setup;
  stop(): Promise<void>;
}

export async function startServices(env: Env, { log, opening } = begin(env)): Promise<Started> {
  const db = await opening;
  try {
    const key = signingKey(env);
    await seedBase(db);
    // The Admin of an empty database comes before the demo's people, among whom nobody would be missed.
    if (env.admin.password) await ensureAdmin(db, env);
    if (env.demo && (await isEmpty(db))) {
      log.info('loading the demo fleet');
      await seedDemo(db);
    }
    const setup = await ensureAdmin(db, env);
    const mail = openMail(env, log);
    const { live, close: closeLive } = await openLive({ db, log });
    const services: Services = { env, db, mail, live, entities, signingKey: key, log, now: () => new Date() };
    const stopSweeping = keepSweeping(services);
    const stopForecasting = keepForecasting(services);
    const stopWatching = watchSilence(services);
    const stopRecalling = env.demo ? keepRecalling(services) : async () => undefined;
    const stopOsmAnd = await listenForOsmAnd(services);
    const stopMqtt = await openMqtt(services);
    const stop = async () => {
      stopSweeping();
      await stopOsmAnd();
      await stopMqtt();
      await stopForecasting();
      await stopWatching();
      await stopRecalling();
      await closeLive();
      await mail.close();
      await db.close();
    };
    return { services, setup, stop };
  } catch (error) {
    await db.close();
    throw error;
  }
}
