/** Loads the demo on demand: its code is not part of the product. */
import type { FastifyBaseLogger } from 'fastify';
import type { DemoInfo } from '../context/services';
import type { Database } from '../db/core/database';

export interface Demo extends DemoInfo {
  /** Fills the database if it is empty. */
  seed(db: Database, log: Pick<FastifyBaseLogger, 'info'>): Promise<void>;
  /** Adds older days to the machines while the server runs. Returns `stop()`, which awaits the batch in progress. */
  startOlderHistory(services: { db: Database; log: Pick<FastifyBaseLogger, 'warn'> }): () => Promise<void>;
  startSimulator: typeof import('../../demo/simulator/startSimulator').startSimulator;
}

export async function loadDemo(): Promise<Demo> {
  const [
    { demoLogins },
    { isDatabaseEmpty, seedDemo },
    { lacksHistory },
    { startSeedingOlderHistory },
    { startSimulator },
  ] = await Promise.all([
    import('../../demo/seed/people'),
    import('../../demo/seed/demo'),
    import('../../demo/seed/olderHistory'),
    import('../../demo/seed/startSeedingOlderHistory'),
    import('../../demo/simulator/startSimulator'),
  ]);
  let isHistoryComplete = false;
  return {
    logins: demoLogins,
    // Read from the data, because another process may be adding the days.
    async isHistoryLoading(db) {
      isHistoryComplete ||= !(await lacksHistory(db));
      return !isHistoryComplete;
    },
    async seed(db, log) {
      if (!(await isDatabaseEmpty(db))) return;
      log.info('loading the demo fleet');
      await seedDemo(db);
    },
    startOlderHistory: (services) =>
      startSeedingOlderHistory({
        ...services,
        onFailure: () => {
          isHistoryComplete = true;
        },
      }),
    startSimulator,
  };
}
