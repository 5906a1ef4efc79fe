/** Creates alert rules and reads their alerts through the API. */
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { TestApp } from './startTestApp';

/** Creates a rule as a user and returns its id. */
export async function createAlertRule(app: TestApp, caller: number, values: object): Promise<number> {
  const response = await app.call<{ data: { id: number } }>(caller, 'POST', 'alert_rules', values);
  expect(response).toMatchObject({ status: 201 });
  return response.body.data.id;
}

/**
 * Backdates the last change of all rules, since a rule applies only from then on. The database sets that time by its
 * own clock, which differs from the test's.
 */
export async function backdateAlertRules(app: TestApp, instant: Date): Promise<void> {
  await app.db.rows(sql`alter table alert_rules disable trigger user`);
  await app.db.rows(sql`update alert_rules set updated_at = ${instant.toISOString()}::timestamptz`);
  await app.db.rows(sql`alter table alert_rules enable trigger user`);
}

/** Alerts of a rule as a user sees them, oldest first. */
export const readRuleAlerts = async <Alert>(app: TestApp, caller: number, rule: number): Promise<Alert[]> =>
  (await app.call<{ data: Alert[] }>(caller, 'GET', `alerts?filter[rule_id]=${rule}&sort=opened_at&per_page=100`)).body
    .data;
