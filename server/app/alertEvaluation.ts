/** Evaluates alert rules and sends alert messages. One process of a database evaluates; all of them send. */
import { sql } from 'drizzle-orm';
import type { Services } from '../context/services';
import { advisoryLocks } from '../db/core/advisoryLocks';
import { allMetrics, quickMetrics } from '../features/alerts/conditions';
import { createZoneEvaluation } from '../features/alerts/createZoneEvaluation';
import { evaluateRules } from '../features/alerts/evaluateRules';
import type { PeriodicTask } from '../jobs/periodicTask';

/**
 * Milliseconds between evaluations. A long evaluation is followed by an equally long pause, up to `maxPause`, so that
 * alerts wait a few seconds at most.
 */
const interval = 1000;
const maxPause = 2500;
/** Milliseconds between evaluations of metrics that change by the day. */
const slowInterval = 60_000;

type AlertServices = Pick<Services, 'db' | 'live' | 'mail' | 'env' | 'log' | 'model' | 'now'>;

/** Task that evaluates alert rules. Evaluates metrics that change by the day only once a minute. */
export function alertEvaluation(services: AlertServices): PeriodicTask {
  let lastSlowRun = Number.NEGATIVE_INFINITY;
  return {
    name: 'alert_evaluation',
    interval: (took) => Math.min(maxPause, Math.max(interval, took)),
    async run() {
      const startedAt = performance.now();
      const isSlow = startedAt - lastSlowRun > slowInterval;
      if ((await evaluateIfClaimed(services, isSlow)) && isSlow) lastSlowRun = startedAt;
    },
  };
}

/** Task that evaluates rules about zones, in the same process as the other rules. */
export function zoneAlertEvaluation(services: AlertServices): PeriodicTask {
  const evaluateZones = createZoneEvaluation(services);
  return {
    name: 'zone_alerts',
    interval: slowInterval,
    firstDelay: slowInterval / 4,
    async run() {
      const zoneRule = await services.db.one(sql`select 1 from alert_rules where metric = 'zone_uncleaned' limit 1`);
      if (zoneRule && (await services.db.claim(advisoryLocks.alerts))) await evaluateZones();
    },
  };
}

/** Evaluates if there is anything to evaluate and this process holds the claim. Returns whether it evaluated. */
async function evaluateIfClaimed(services: AlertServices, isSlow: boolean): Promise<boolean> {
  const dueAlert = await services.db.one(
    sql`select 1 where exists (select from alert_rules where is_active and deleted_at is null)
      or exists (select from alerts where state <> 'closed' and deleted_at is null)`,
  );
  if (!dueAlert || !(await services.db.claim(advisoryLocks.alerts))) return false;
  await evaluateRules(services, isSlow ? allMetrics : quickMetrics);
  return true;
}
