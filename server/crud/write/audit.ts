/**
 * Who changed what, before and after: written in the transaction of the change, or in the very statement of an insert.
 * Calls of their own use `note`; creating, changing, deleting and restoring by the calls that every entity has note
 * themselves.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import type { AuditAction } from '../../../schema/entities/audit';
import type { Language } from '../../../schema/shared/languages';
import { derivedSql } from '../../access/derived';
import { column, hasState, stateTableSql, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import type { Queries } from '../../db/core/database';

/** Who acts: a caller, or just the user where nobody is logged in yet. */
export type AuditActor = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'impersonatedBy' | 'tokenId' | 'language'>>;

export interface AuditAct {
  entity: Entity;
  /** `undefined`: nobody, the server itself. */
  by: AuditActor | undefined;
  action: AuditAction;
}

/**
 * A row that was acted on; values by field, as JSON carries them. What is not named in `after` (where there is none: in
 * `before`) is not compared.
 */
export interface AuditedRow {
  id: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** What a field held before and what after. */
export type Detail = Record<string, [before: unknown, after: unknown]>;

/** Notes what happened to rows, in one statement. They still exist; an edit that changes nothing is no news. */
export async function writeAuditEntries(
  tx: Queries,
  { entity, by, action }: AuditAct,
  rows: readonly AuditedRow[],
): Promise<void> {
  const given = rows
    .map((row) => ({ id: row.id, detail: detailOf(entity, row) }))
    .filter(({ detail }) => action !== 'edit' || Object.keys(detail).length > 0);
  if (given.length === 0) return;
  const [m, s] = [sql.raw('m'), sql.raw('s')];
  const state = hasState(entity) ? sql` left join ${stateTableSql(entity)} s on s.id = m.id` : sql``;
  await tx.rows(sql`
    insert into audit (${auditColumns})
    select ${actorsSql(actorsOf(by))}, ${action}::text, ${entity.name}::text, given.id,
    ${titleSql(entity, { row: m, state: s, language: by?.language })}, given.detail
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as given (id int, detail jsonb)
    left join ${table(entity)} m on m.id = given.id${state}`);
}

/** The columns that a note fills, in the order of `actorsSql`, action, entity, id, title, detail. */
export const auditColumns = sql`user_id, user_name, as_user_id, as_user_name, token_name, action, entity, record_id,
  record_title, detail`;

/** The user who acts, whom they act as, and the API token that they use. */
export const actorsOf = (
  by: AuditActor | undefined,
): { actor: number | null; as: number | null; token: number | null } => ({
  actor: by?.impersonatedBy ?? by?.userId ?? null,
  as: by?.impersonatedBy === undefined ? null : by.userId,
  token: by?.tokenId ?? null,
});

/** All with the names that they have now. */
export function actorsSql({ actor, as, token }: { actor: unknown; as: unknown; token: unknown }): SQL {
  const named = (id: unknown) =>
    sql`${id}::int, (select concat_ws(' ', first_name, last_name) from users where id = ${id}::int)`;
  return sql`${named(actor)}, ${named(as)}, (select name from api_tokens where id = ${token}::int)`;
}

/** How a row is called, from its declared titles. */
export const titleSql = (
  entity: Entity,
  { row, state = row, language = 'en' }: { row: SQL; state?: SQL; language?: Language },
): SQL =>
  sql`concat_ws(' ', ${sql.join(
    entity.titles.map((name) =>
      entity.fields[name]?.store === 'derived'
        ? derivedSql(entity, { name, row, state, caller: { ...nobody, language } })
        : column(row, name),
    ),
    sql`, `,
  )})`;

/** Titles depend on nothing of a reader but their language. */
const nobody: Caller = {
  userId: 0,
  sessionId: 0,
  accessVersion: -1,
  language: 'en',
  permissions: new Set(),
  roles: [],
  scopes: new Set(),
  links: { client: null, clients: [], countries: [], fleets: [], locations: [], machines: [] },
};

/** The fields that differ. Passwords are named and nothing of them is kept. */
export function detailOf(entity: Entity, { before = {}, after }: Omit<AuditedRow, 'id'>): Detail {
  const detail: Detail = {};
  for (const name of Object.keys(after ?? before)) {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
    if (!field || field.kind === 'many' || name === 'version' || name === 'updated_at' || field.same) continue;
    if (field.kind === 'password') {
      detail[name] = [null, null];
      continue;
    }
    const change: Detail[string] = [plain(field, before[name]), plain(field, after?.[name])];
    if (JSON.stringify(change[0]) !== JSON.stringify(change[1])) detail[name] = change;
  }
  return detail;
}

/**
 * A value in the one form in which answers carry it, so that equal ones are the same text. An empty list is nothing.
 */
function plain(field: Field, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.length === 0) return null;
  if (field.kind === 'money') return Number(value).toFixed(2);
  if (field.kind === 'instant') return new Date(value as string | Date).toISOString();
  if (field.kind === 'refs' && Array.isArray(value)) return [...value].sort((a, b) => a - b);
  if (field.kind === 'records' && Array.isArray(value))
    return value.map((record) => given(field.of ?? {}, record as Record<string, unknown>));
  return value;
}

/** What of a small record people give. */
const given = (of: Record<string, Field>, record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(of).flatMap((name) =>
      of[name]?.write === false || of[name]?.kind === 'boolean' ? [] : [[name, record[name] ?? null]],
    ),
  );
