/** Metrics of background work in this process, shown by every application in it. */
import { Histogram } from 'prom-client';

export const jobSeconds = new Histogram({
  name: 'job_duration_seconds',
  help: 'Time of one attempt at a job, by kind and by what it led to: done, queued (again), dead or lost.',
  labelNames: ['kind', 'state'] as const,
  buckets: [0.01, 0.1, 1, 10, 60],
  registers: [],
});

export const taskSeconds = new Histogram({
  name: 'periodic_task_duration_seconds',
  help: 'Time of one run of a periodic task, by its name and whether it failed.',
  labelNames: ['task', 'failed'] as const,
  buckets: [0.01, 0.1, 1, 10, 60],
  registers: [],
});

/** Kinds of jobs that this process runs. */
export const jobKinds = new Set<string>();
