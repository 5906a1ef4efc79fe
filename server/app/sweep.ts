/**
 * Deletes what has expired: sessions, reset requests, attempt counters, stored responses of idempotent requests,
 * unreferenced files, old telemetry.
 */
import { type SQL, sql } from 'drizzle-orm';
import { flushUses } from '../auth/lastUsed';
import type { Services } from '../context/services';
import { alertMessageKind } from '../features/alerts/messages';
import { deleteExpiredRowsSql } from '../features/imports/retention';
import { applyTelemetryRetention } from './applyTelemetryRetention';
import { deleteUnusedFilesSql } from './deleteUnusedFilesSql';

type SweepServices = Pick<Services, 'db' | 'model' | 'env' | 'now' | 'objects'>;

/** Statements that are safe at any time and in every process. */
const deleteStatements: readonly SQL[] = [
  sql`delete from sessions where expires_at < now()`,
  sql`delete from oidc_flows where expires_at < now()`,
  sql`delete from login_tickets where expires_at < now()`,
  sql`delete from api_tokens where expires_at < now() - interval '30 days'`,
  sql`delete from password_resets where expires_at < now()`,
  sql`delete from login_failures where until < now()`,
  sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`,
  // Messages of open alerts stay, because only recipients of earlier messages are told that the alert ended.
  sql`delete from jobs j where done_at < now() - interval '90 days' and not exists (select from alerts a
    where j.kind = ${alertMessageKind} and a.id = (j.payload->>'alert_id')::int and a.state <> 'closed')`,
  sql`delete from inbox_marks where until < now() or at < now() - interval '180 days'`,
  sql`delete from integration_messages where received_at < now() - interval '30 days'`,
  deleteExpiredRowsSql,
];

/**
 * Deletes everything that has expired, and writes the last uses that this process has collected. If a step fails, the
 * others run all the same; then throws the first error.
 */
export async function sweep(services: SweepServices): Promise<void> {
  const { db, model } = services;
  const steps: (() => Promise<unknown>)[] = [
    () => flushUses(db),
    ...[...deleteStatements, ...deleteUnusedFilesSql(model.entities)].map((statement) => () => db.rows(statement)),
    () => applyTelemetryRetention(services),
  ];
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
