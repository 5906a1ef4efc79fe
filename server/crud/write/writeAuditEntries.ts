/**
 * Audit entries: who changed what, with values before and after. Written in the transaction of the change, or by the
 * statement of an insert. CRUD writes its own entries; other calls must call `writeAuditEntries`.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import type { AuditAction } from '../../../schema/entities/audit';
import { hasState, stateTableSql, table } from '../../access/entityModel';
import { titleSql } from '../../access/titleSql';
import type { Caller } from '../../context/caller';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';

/** Actor of an audit entry: a caller, or just the user where nobody is logged in yet. */
export type AuditActor = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'impersonatedBy' | 'tokenId' | 'language'>>;

export interface AuditRequest {
  entity: ModelEntity;
  /** `undefined`: the server itself. */
  by: AuditActor | undefined;
  /** Name of the integration or device that acts in place of a user. */
  source?: string;
  action: AuditAction;
}

/**
 * A changed row; values by field, as in JSON. The audit entry compares the fields of `after`; without `after`, those of
 * `before`.
 */
export interface AuditedRow {
  id: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** Changed fields with their values before and after. */
export type AuditDetail = Record<string, [before: unknown, after: unknown]>;

/** Writes audit entries for rows, in one statement. The rows must still exist. Skips edits that change nothing. */
export async function writeAuditEntries(
  tx: Queries,
  { entity, by, source, action }: AuditRequest,
  rows: readonly AuditedRow[],
): Promise<void> {
  const entries = rows
    .map((row) => ({ id: row.id, detail: detailOf(entity, row) }))
    .filter(({ detail }) => action !== 'edit' || Object.keys(detail).length > 0);
  if (entries.length === 0) return;
  const [m, s] = [sql.raw('m'), sql.raw('s')];
  const state = hasState(entity) ? sql` left join ${stateTableSql(entity)} s on s.id = m.id` : sql``;
  await tx.rows(sql`
    insert into audit (${auditColumns})
    select ${source === undefined ? actorsSql(actorsOf(by)) : sourceSql(source)}, ${action}::text,
    ${entity.name}::text, entry.id,
    ${titleSql(entity, { row: m, state: s, language: by?.language })}, entry.detail
    from jsonb_to_recordset(${JSON.stringify(entries)}::text::jsonb) as entry (id int, detail jsonb)
    left join ${table(entity)} m on m.id = entry.id${state}`);
}

/** Columns of an audit entry, in the order of `actorsSql`, action, entity, id, title, detail. */
export const auditColumns = sql`user_id, user_name, as_user_id, as_user_name, token_name, action, entity, record_id,
  record_title, detail`;

const sourceSql = (source: string): SQL => sql`null::int, ${source}::text, null::int, null::text, null::text`;

/** Acting user, impersonated user, and API token. */
export const actorsOf = (
  by: AuditActor | undefined,
): { actor: number | null; as: number | null; token: number | null } => ({
  actor: by?.impersonatedBy ?? by?.userId ?? null,
  as: by?.impersonatedBy === undefined ? null : by.userId,
  token: by?.tokenId ?? null,
});

/** SQL: the actors with their current names. */
export function actorsSql({ actor, as, token }: { actor: unknown; as: unknown; token: unknown }): SQL {
  const idAndNameSql = (id: unknown) =>
    sql`${id}::int, (select concat_ws(' ', first_name, last_name) from users where id = ${id}::int)`;
  return sql`${idAndNameSql(actor)}, ${idAndNameSql(as)}, (select name from api_tokens where id = ${token}::int)`;
}

/** Changed fields. Passwords are named without their values. */
export function detailOf(entity: ModelEntity, { before = {}, after }: Omit<AuditedRow, 'id'>): AuditDetail {
  const detail: AuditDetail = {};
  for (const name of Object.keys(after ?? before)) {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
    if (!field || field.kind === 'many' || name === 'version' || name === 'updated_at' || field.same) continue;
    if (field.kind === 'password') {
      detail[name] = [null, null];
      continue;
    }
    const change: AuditDetail[string] = [canonicalValue(field, before[name]), canonicalValue(field, after?.[name])];
    if (JSON.stringify(change[0]) !== JSON.stringify(change[1])) detail[name] = change;
  }
  return detail;
}

/** Canonical JSON form of a value, so that equal values print equally. An empty list counts as null. */
function canonicalValue(field: Field, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.length === 0) return null;
  if (field.kind === 'money') return Number(value).toFixed(2);
  if (field.kind === 'instant') return new Date(value as string | Date).toISOString();
  if (field.kind === 'refs' && Array.isArray(value)) return [...value].sort((a, b) => a - b);
  if (field.kind === 'records' && Array.isArray(value))
    return value.map((record) => enteredValues(field.of ?? {}, record as Record<string, unknown>));
  return value;
}

/**
 * The fields of a record that people enter, without booleans: of an address, the server sets `verified`, and the user's
 * field `email` names the primary one.
 */
const enteredValues = (of: Record<string, Field>, record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(of).flatMap((name) =>
      of[name]?.write === false || of[name]?.kind === 'boolean' ? [] : [[name, record[name] ?? null]],
    ),
  );
