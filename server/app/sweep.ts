/**
 * Throws away what has expired: sessions, reset requests, counts of guesses, remembered answers, files that no row
 * names, telemetry past its time.
 */
import { type SQL, sql } from 'drizzle-orm';
import { flushUses } from '../auth/lastUsed';
import type { Services } from '../context/services';
import { expiredRows } from '../features/imports/retention';
import { unusedFiles } from './files';
import { applyTelemetryRetention } from './partitions';

type Swept = Pick<Services, 'db' | 'model' | 'env' | 'now'>;

/** Each may run at any time and on every process at once. */
const expired: readonly SQL[] = [
  sql`delete from sessions where expires_at < now()`,
  sql`delete from oidc_flows where expires_at < now()`,
  sql`delete from login_tickets where expires_at < now()`,
  sql`delete from api_tokens where expires_at < now() - interval '30 days'`,
  sql`delete from password_resets where expires_at < now()`,
  sql`delete from login_failures where until < now()`,
  sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`,
  sql`delete from report_messages where done_at < now() - interval '90 days'`,
  expiredRows,
];

export async function sweep(services: Swept): Promise<void> {
  const { db, model } = services;
  await flushUses(db);
  for (const statement of [...expired, ...unusedFiles(model.entities)]) await db.rows(statement);
  await applyTelemetryRetention(services);
}
