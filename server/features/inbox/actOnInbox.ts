/** Actions on inbox items: a mark per finding, or the alert's own state. */
import { type SQL, sql } from 'drizzle-orm';
import type { EntityName } from '../../../schema';
import { type InboxAct, type InboxKey, type InboxKind, inboxActsOf } from '../../../schema/features/inbox';
import { visibleIds } from '../../access/scopeWhere';
import { loadCallerOfUser } from '../../auth/loadCaller';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { advisoryLocks } from '../../db/core/advisoryLocks';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { acknowledgeAlert, closeAlert, readPersonName } from '../alerts/updateAlert';
import type { FindingsRequest } from './findingsRequest';
import { itemFindingsSql } from './inboxItems';

/** The entity of the findings of each kind; `undefined` for jobs, which are no entity. */
export const entityOfKind: Record<InboxKind, EntityName | undefined> = {
  reported: 'alerts',
  alert: 'alerts',
  silent: 'machines',
  cleaning: 'locations',
  service: 'machines',
  device: 'trackers',
  import: 'imports',
  job: undefined,
};

export interface InboxRequest {
  act: InboxAct | 'return';
  key: InboxKey;
  /** Number of findings that the user saw. */
  count: number;
  assignee?: number;
  until?: string;
}

const itemFindingShape = { subject: pg.text, occurrence: pg.text, is_aside: pg.boolean };
type ItemFinding = RowOf<typeof itemFindingShape>;

/**
 * Applies an act to all findings of an item; returns their subjects. Acts on one kind are serialized, so that only the
 * first of two concurrent ones succeeds.
 * @throws 403 if the caller may return none of the findings, 404 if the item is gone, 409 if another act was first or
 * there are more findings than the user saw
 */
export async function actOnInbox(tx: Queries, request: FindingsRequest, action: InboxRequest): Promise<string[]> {
  const { act, key } = action;
  if (act !== 'return' && !inboxActsOf[key.kind].includes(act)) throw ApiError.notFound();
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${key.kind}, ${advisoryLocks.inbox}::bigint))`);
  const findings = await readItemFindings(tx, key, request);
  const affectedFindings = findings.filter(({ is_aside }) => is_aside === (act === 'return'));
  if (affectedFindings.length === 0) throw findings.length > 0 ? ApiError.conflict('inbox_taken') : ApiError.notFound();
  if (affectedFindings.length > action.count) throw ApiError.conflict('inbox_grown');
  if (act === 'return') return returnFindings(tx, request, action, affectedFindings);
  if ((key.kind === 'alert' || key.kind === 'reported') && (act === 'acknowledge' || act === 'done'))
    await updateAlerts(tx, request, { act, ids: affectedFindings.map(({ subject }) => Number(subject)) });
  else await insertMarks(tx, request, action, affectedFindings);
  await auditAct(tx, request, action, affectedFindings);
  return affectedFindings.map(({ subject }) => subject);
}

async function readItemFindings(tx: Queries, key: InboxKey, request: FindingsRequest): Promise<ItemFinding[]> {
  const findings = itemFindingsSql(key, request);
  return findings ? tx.select(itemFindingShape, sql`select subject, occurrence, is_aside from (${findings}) m`) : [];
}

async function updateAlerts(
  tx: Queries,
  { model, caller, now }: FindingsRequest,
  { act, ids }: { act: 'acknowledge' | 'done'; ids: readonly number[] },
): Promise<void> {
  const update = act === 'done' ? closeAlert : acknowledgeAlert;
  for (const id of [...ids].sort((a, b) => a - b))
    await update(tx, { entity: model.require('alerts'), caller, id, text: null, at: now });
}

async function insertMarks(
  tx: Queries,
  request: FindingsRequest,
  { act, key, assignee, until }: InboxRequest,
  findings: readonly ItemFinding[],
): Promise<void> {
  const { caller, now } = request;
  if (assignee !== undefined) await requireAssignee(tx, request, { key, assignee, findings });
  await tx.rows(sql`
    insert into inbox_marks (kind, subject, occurrence, snoozed_for, until, assignee_id, by_id, by_name, at)
    select ${key.kind}, member.subject, member.occurrence, ${act === 'snooze' ? caller.userId : null}::int,
      ${until ?? null}::timestamptz, ${assignee ?? null}::int, ${caller.userId}::int,
      ${await readPersonName(tx, caller)},
      ${now.toISOString()}::timestamptz
    from ${unnestSql(findings)}
    on conflict (kind, subject, snoozed_for) do update set occurrence = excluded.occurrence, until = excluded.until,
      assignee_id = excluded.assignee_id, by_id = excluded.by_id, by_name = excluded.by_name, at = excluded.at`);
}

const unnestSql = (findings: readonly ItemFinding[]): SQL =>
  sql`unnest(${findings.map(({ subject }) => subject)}::text[], ${findings.map(({ occurrence }) => occurrence)}::text[])
    member(subject, occurrence)`;

/** Throws 422 unless the caller sees that user, and that user sees every finding of the item. */
async function requireAssignee(
  tx: Queries,
  { model, caller, now }: FindingsRequest,
  { key, assignee, findings }: { key: InboxKey; assignee: number; findings: readonly ItemFinding[] },
): Promise<void> {
  const isSelf = assignee === caller.userId;
  const [visibleId] = isSelf ? [assignee] : await visibleIds(tx, model.require('users'), caller, [assignee]);
  if (visibleId === undefined || (!isSelf && !hasPermission(caller, 'users.list')))
    throw ApiError.invalidAt('user_id', { key: 'exists' }, 'audit');
  const assigneeCaller = isSelf ? caller : await loadCallerOfUser(tx, assignee);
  const assigneeFindings = assigneeCaller
    ? await readItemFindings(tx, key, { model, caller: assigneeCaller, now })
    : [];
  const subjects = new Set(assigneeFindings.map(({ subject }) => subject));
  if (!findings.every(({ subject }) => subjects.has(subject)))
    throw ApiError.invalidAt('user_id', { text: 'inbox_out_of_reach' }, 'audit');
}

/**
 * Deletes the marks that keep findings out of the caller's inbox. Returns the subjects of these findings.
 * @throws 403 if the caller may delete none of the marks
 */
async function returnFindings(
  tx: Queries,
  request: FindingsRequest,
  action: InboxRequest,
  findings: readonly ItemFinding[],
): Promise<string[]> {
  const deletedMarks = await deleteMarks(tx, action.key.kind, findings, request.caller);
  const subjects = new Set(deletedMarks.map(({ subject }) => subject));
  if (subjects.size === 0) throw ApiError.forbidden();
  const returnedFindings = findings.filter(({ subject }) => subjects.has(subject));
  await auditAct(tx, request, action, returnedFindings);
  return [...subjects];
}

/**
 * Deletes the caller's snoozes and, if the caller may set them, marks for everybody. An assignment to the caller stays,
 * because it keeps no finding out of the caller's inbox.
 */
const deleteMarks = (tx: Queries, kind: InboxKind, findings: readonly ItemFinding[], caller: Caller) =>
  tx.select(
    { subject: pg.text },
    sql`
    delete from inbox_marks k using ${unnestSql(findings)} where k.kind = ${kind} and k.subject = member.subject
      and (k.snoozed_for = ${caller.userId}::int
        or (k.snoozed_for is null and k.assignee_id is distinct from ${caller.userId}::int
          and ${hasPermission(caller, 'alerts.acknowledge')}::boolean))
    returning k.subject`,
  );

/** Audits an act on the rows that were found. Acts that change alerts are audited as these changes instead. */
async function auditAct(
  tx: Queries,
  { model, caller }: FindingsRequest,
  { act, key }: InboxRequest,
  findings: readonly ItemFinding[],
): Promise<void> {
  const name = entityOfKind[key.kind];
  const isAuditedAsChange = name === 'alerts' && (act === 'acknowledge' || act === 'done');
  if (!name || isAuditedAsChange) return;
  const rows = findings.map(({ subject }) => ({ id: Number(subject) }));
  await writeAuditEntries(tx, { entity: model.require(name), by: caller, action: `inbox_${act}` }, rows);
}
