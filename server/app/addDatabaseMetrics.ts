/** Metrics read from the database on each scrape: whether it answers, and the backlog of the job queue. */
import { Gauge, type Registry } from 'prom-client';
import type { Services } from '../context/services';
import { jobKinds } from '../jobs/jobMetrics';
import { readJobBacklog } from '../jobs/jobQueue';

/** Adds `database_reachable` and the backlog of the job queue by kind. Never fails a scrape. */
export function addDatabaseMetrics(registry: Registry, { db, now }: Pick<Services, 'db' | 'now'>): void {
  let reading: Promise<void> | undefined;
  // A scrape collects all gauges at once, so they share one read.
  const collect = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });
  const reachable = gauge('database_reachable', 'Whether the database answers: 1 or 0.');
  const dueJobs = gauge('jobs_due', 'Jobs that are due but not running, by kind.', ['kind']);
  const age = gauge('job_queue_age_seconds', 'Time that the oldest due job has been waiting, by kind.', ['kind']);

  async function read(): Promise<void> {
    dueJobs.reset();
    age.reset();
    try {
      await db.ready();
      const backlog = await readJobBacklog(db, now());
      for (const kind of jobKinds) {
        const backlogRow = backlog.find((row) => row.kind === kind);
        dueJobs.set({ kind }, backlogRow?.jobs ?? 0);
        age.set({ kind }, backlogRow?.seconds ?? 0);
      }
      reachable.set(1);
    } catch {
      reachable.set(0);
    }
  }
}
