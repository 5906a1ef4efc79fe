/** Metrics of the connection pools of this process. Every application in it serves them. */
import { Gauge, Histogram } from 'prom-client';

/** `control` is the connection of notifications and advisory locks. */
export type PoolName = 'queries' | 'streams' | 'control' | 'replica' | 'replica_streams';

export const poolWaitSeconds = new Histogram({
  name: 'database_pool_wait_seconds',
  help: 'Time that callers waited for a database connection. Callers who found one free are not counted.',
  labelNames: ['pool'] as const,
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [],
});

export const poolWaiting = new Gauge({
  name: 'database_pool_waiting',
  help: 'Callers that wait for a database connection.',
  labelNames: ['pool'] as const,
  registers: [],
});
poolWaiting.set({ pool: 'queries' }, 0);

/** Counts a waiting caller until the returned function is called. */
export function startPoolWait(pool: PoolName): () => void {
  const startedAt = performance.now();
  poolWaiting.inc({ pool });
  return () => {
    poolWaiting.dec({ pool });
    poolWaitSeconds.observe({ pool }, (performance.now() - startedAt) / 1000);
  };
}
