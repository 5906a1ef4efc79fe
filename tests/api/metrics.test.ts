/** `/metrics`: figures for monitoring. The example alert rules and dashboard use only metrics that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { alertMessageJobs } from '../../server/features/alerts/alertMessageJobs';
import { enqueue } from '../../server/jobs/jobQueue';
import { startJobWorker } from '../../server/jobs/jobWorker';
import { root } from '../support/sources';
import { startTestApp, type TestApp } from '../support/startTestApp';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { METRICS_TOKEN: 'scrape me' } });
});
afterAll(() => app.close());

const scrape = async () =>
  (await app.app.inject({ url: '/metrics', headers: { authorization: 'Bearer scrape me' } })).body;

/** Value of a sample such as `jobs_due{kind="mail"}`. */
const sampleOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

test('the age of the oldest due job is reported per kind', async () => {
  // Registers the kind; once stopped, the worker leases none of its jobs.
  await startJobWorker(app.services, alertMessageJobs(app.services)).stop();
  const metricsBefore = await scrape();
  expect(sampleOf(metricsBefore, 'database_reachable')).toBe(1);
  expect(sampleOf(metricsBefore, 'jobs_due{kind="alert_message"}')).toBe(0);
  expect(sampleOf(metricsBefore, 'job_queue_age_seconds{kind="alert_message"}')).toBe(0);
  for (const seconds of [90, 300, -600])
    await app.db.transaction((tx) =>
      enqueue(tx, 'alert_message', { runAt: new Date(app.services.now().getTime() - seconds * 1000) }),
    );
  const metricsAfter = await scrape();
  expect(sampleOf(metricsAfter, 'jobs_due{kind="alert_message"}')).toBe(2);
  expect(sampleOf(metricsAfter, 'job_queue_age_seconds{kind="alert_message"}')).toBeGreaterThanOrEqual(300);
  expect(sampleOf(metricsAfter, 'job_queue_age_seconds{kind="alert_message"}')).toBeLessThan(310);
  await app.db.rows(sql`delete from jobs`);
});

test('messages of devices without a machine are counted', async () => {
  const sample = 'unrouted_messages_total{protocol="osmand"}';
  const countBefore = sampleOf(await scrape(), sample) ?? 0;
  await app.call(undefined, 'GET', '/ingest/osmand?id=nobody-knows-it&batt=50');
  expect(sampleOf(await scrape(), sample)).toBe(countBefore + 1);
});

test('callers waiting for a connection are counted', async () => {
  const waitingMetric = 'database_pool_waiting{pool="queries"}';
  const metric = 'database_pool_wait_seconds_count{pool="queries"}';
  const countBefore = sampleOf(await scrape(), metric) ?? 0;
  // More transactions than there are connections.
  await Promise.all(Array.from({ length: 40 }, () => app.db.transaction((tx) => tx.rows(sql`select 1`))));
  const metricsAfter = await scrape();
  expect(sampleOf(metricsAfter, metric)).toBeGreaterThan(countBefore);
  expect(sampleOf(metricsAfter, waitingMetric)).toBe(0);
});

/** Functions, aggregations, labels and keywords of PromQL, which are not metrics. */
const promqlWords = /\b(?:sum|max|min|rate|increase|histogram_quantile|by|on|and|or|le)\b/g;
const metricNames = (expr: string): string[] =>
  expr
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on) \([^)]*\)/g, '')
    .replaceAll(promqlWords, '')
    .match(/[a-z][a-z0-9_]+/g) ?? [];

interface AlertRules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

test('alert rules and dashboard use only existing metrics', async () => {
  const { groups } = parse(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8')) as AlertRules;
  const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/sweepline.json'), 'utf8')) as Dashboard;
  const uses = [
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ user: alert, expr }))),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ user: title, expr }))),
  ];
  expect(uses.length).toBeGreaterThan(20);
  const types = [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const names = new Set([
    // Created by Prometheus itself.
    'up',
    ...types.flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  ]);
  const unknown = uses.flatMap(({ user, expr }) => {
    const usedNames = metricNames(expr);
    return usedNames.length === 0
      ? [`${user}: no metric`]
      : usedNames.filter((name) => !names.has(name)).map((name) => `${user}: ${name}`);
  });
  expect(unknown).toEqual([]);
});
