/** Actions of users on alerts. Each locks the alert, so the second of two concurrent actions sees the first. */
import { sql } from 'drizzle-orm';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { enqueueAlertMessages, enqueueReporterMessages } from './messages';

export interface AlertUpdate {
  entity: ModelEntity;
  caller: Caller;
  id: number;
  text: string | null;
  at: Date;
}

/** Acknowledges an alert. Adds the text to an acknowledged one as a comment. Throws 409 for a closed alert. */
export async function acknowledgeAlert(tx: Queries, { entity, caller, id, text, at }: AlertUpdate): Promise<void> {
  const alert = await lockOpenAlert(tx, id);
  const name = await readPersonName(tx, caller);
  if (alert.state === 'open') {
    await tx.rows(sql`
      update alerts set state = 'acknowledged', acknowledged_at = ${at.toISOString()}::timestamptz,
      acknowledged_by = ${name}, next_reminder = null
      where id = ${id}`);
    await writeAlertNote(tx, { id, caller, name, kind: 'acknowledged', text });
    await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, [
      { id, before: { state: 'open' }, after: { state: 'acknowledged' } },
    ]);
  } else if (text) await writeAlertNote(tx, { id, caller, name, kind: 'comment', text });
}

/** Closes an alert and enqueues the messages about it. Throws 409 for a closed alert. */
export async function closeAlert(tx: Queries, { entity, caller, id, text, at }: AlertUpdate): Promise<void> {
  const alert = await lockOpenAlert(tx, id);
  const name = await readPersonName(tx, caller);
  await tx.rows(sql`
    update alerts set state = 'closed', closed_at = ${at.toISOString()}::timestamptz, closed_by = ${name},
    next_reminder = null where id = ${id}`);
  await writeAlertNote(tx, { id, caller, name, kind: 'closed', text });
  await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, [
    { id, before: { state: alert.state }, after: { state: 'closed' } },
  ]);
  await enqueueReporterMessages(tx, { id, closer: caller.userId, at });
  if (alert.tell_closed) await enqueueAlertMessages(tx, { fired: [], reminder: [], closed: [id] }, at);
}

async function lockOpenAlert(tx: Queries, id: number): Promise<{ state: string; tell_closed: boolean }> {
  const alert = await tx.selectOne(
    { state: pg.text, tell_closed: pg.boolean },
    sql`
    select a.state, coalesce(r.tell_closed and r.is_active and r.deleted_at is null, false) as tell_closed from alerts a
    left join alert_rules r on r.id = a.rule_id
    where a.id = ${id} and a.deleted_at is null for update of a`,
  );
  if (!alert) throw ApiError.notFound();
  if (alert.state === 'closed') throw ApiError.conflict('alert_closed');
  return alert;
}

/** Reads the caller's name. Notes store it, so that it outlives the user. */
export async function readPersonName(tx: Queries, { userId }: Caller): Promise<string> {
  const user = await tx.selectOne(
    { name: pg.text },
    sql`select left(concat_ws(' ', first_name, last_name), 130) as name from users where id = ${userId}`,
  );
  return user?.name ?? '';
}

interface NewAlertNote {
  id: number;
  caller: Caller;
  name: string;
  kind: 'acknowledged' | 'closed' | 'comment' | 'photo';
  text: string | null;
}

/** Inserts a note of the caller. The text of a photo is the name of its file. */
export const writeAlertNote = (tx: Queries, { id, caller, name, kind, text }: NewAlertNote) =>
  tx.rows(
    sql`insert into alert_notes (alert_id, user_id, name, kind, text)
      values (${id}, ${caller.userId}, ${name}, ${kind}, ${text})`,
  );
