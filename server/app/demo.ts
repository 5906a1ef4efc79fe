/** Loads the demo on demand: its code is not part of the product. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/core/database';

export interface Demo {
  logins: readonly { role: string; email: string; password: string }[];
  /** Fills the database if it is empty. */
  seed(db: Database, log: Pick<FastifyBaseLogger, 'info'>): Promise<void>;
  startOlderHistory: typeof import('../../demo/seed/startSeedingOlderHistory').startSeedingOlderHistory;
  startSimulator: typeof import('../../demo/simulator/startSimulator').startSimulator;
}

export async function loadDemo(): Promise<Demo> {
  const [{ demoLogins }, { isDatabaseEmpty, seedDemo }, { startSeedingOlderHistory }, { startSimulator }] =
    await Promise.all([
      import('../../demo/seed/people'),
      import('../../demo/seed/demo'),
      import('../../demo/seed/startSeedingOlderHistory'),
      import('../../demo/simulator/startSimulator'),
    ]);
  return {
    logins: demoLogins,
    async seed(db, log) {
      if (!(await isDatabaseEmpty(db))) return;
      log.info('loading the demo fleet');
      await seedDemo(db);
    },
    startOlderHistory: startSeedingOlderHistory,
    startSimulator,
  };
}
