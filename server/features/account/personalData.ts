/**
 * Export and erasure of personal data: everything that references a user by foreign key. A new table that references
 * users needs no code here.
 */
import { type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { entities } from '../../../schema';
import type { Queries } from '../../db/core/database';
import { tables } from '../../db/schema';
import { entityTables } from '../../db/schema/entities';

interface UserReference {
  table: string;
  column: string;
  /** Columns readable for people: no hashes, no encrypted secrets. */
  readableColumns: string[];
  /** Whether its rows are deleted with the user. */
  isOwnedByUser: boolean;
}

const isSecret = (column: PgColumn) => column.getSQLType() === 'bytea' || column.name === 'password_hash';
const entityNames = new Set<string>(entities.map(({ name }) => name));

const userReferences: readonly UserReference[] = Object.values(tables as Record<string, PgTable>).flatMap((table) => {
  const { name, columns, foreignKeys } = getTableConfig(table);
  return foreignKeys
    .map((key) => ({ key, reference: key.reference() }))
    .filter(({ reference }) => reference.foreignTable === entityTables.users)
    .map(({ key, reference }) => ({
      table: name,
      column: reference.columns[0]?.name ?? '',
      readableColumns: columns.filter((column) => !isSecret(column)).map((column) => column.name),
      isOwnedByUser: !entityNames.has(name) && key.onDelete === 'cascade',
    }));
});

/** Returns, by table, the user's own row and the rows that reference it, at most 10,000 per reference. */
export async function exportPersonalData(db: Queries, userId: number): Promise<Record<string, unknown>> {
  const [ownRow] = await db.rows(
    sql`select u.*, l.two_letter_code as language from users u left join languages l on l.id = u.language_id
      where u.id = ${userId}`,
  );
  const tables: Record<string, unknown[]> = {};
  for (const { table, column, readableColumns } of userReferences) {
    const rows = await db.rows(
      sql`select ${columnListSql(readableColumns)} from ${sql.identifier(table)}
        where ${sql.identifier(column)} = ${userId} limit 10000`,
    );
    if (rows.length > 0) tables[table] = [...(tables[table] ?? []), ...rows];
  }
  const changes = await db.rows(sql`select * from audit where user_id = ${userId} order by id desc limit 10000`);
  return { user: ownRow, ...tables, changes };
}

/** Deletes the rows that belong to the user alone, and anonymizes those that are part of others' work. */
export async function erasePersonalData(tx: Queries, userId: number): Promise<void> {
  const address = `deleted-${userId}@deleted.invalid`;
  // Only verified addresses are certain to be the user's own.
  await tx.rows(
    sql`update invitations set email = ${address} where lower(email) in (
      select lower(email) from users where id = ${userId}
      union select lower(email) from user_emails where user_id = ${userId} and verified)`,
  );
  for (const { table, column, isOwnedByUser } of userReferences)
    if (isOwnedByUser)
      await tx.rows(sql`delete from ${sql.identifier(table)} where ${sql.identifier(column)} = ${userId}`);
  await tx.rows(sql`
    update users set first_name = 'Deleted', last_name = ${`user ${userId}`}, email = ${address}, phone = null,
    image = null, client_id = null, is_staff = false,
      allow_sms = false, allow_email = false, deleted_at = coalesce(deleted_at, now()) where id = ${userId}`);
  const name = `Deleted user ${userId}`;
  await tx.rows(sql`update audit set user_name = ${name} where user_id = ${userId}`);
  await tx.rows(sql`update audit set as_user_name = ${name} where as_user_id = ${userId}`);
  await anonymizeAlerts(tx, userId, name);
  await tx.rows(
    sql`update audit set record_title = ${name}, detail = '{}'::jsonb where entity = 'users' and record_id = ${userId}`,
  );
  await tx.rows(sql`update users_state set last_login = null where id = ${userId}`);
}

/** Replaces the user's name in alert notes and in alerts. Alerts store no id, so notes show which ones to change. */
async function anonymizeAlerts(tx: Queries, userId: number, name: string): Promise<void> {
  for (const kind of ['acknowledged', 'closed'] as const)
    await tx.rows(sql`
      update alerts a set ${sql.identifier(`${kind}_by`)} = ${name} from alert_notes n
      where n.alert_id = a.id and n.user_id = ${userId} and n.kind = ${kind}
      and a.${sql.identifier(`${kind}_by`)} = n.name`);
  await tx.rows(sql`update alert_notes set name = ${name} where user_id = ${userId}`);
}

const columnListSql = (names: readonly string[]): SQL => sql.join(names.map(sql.identifier), sql`, `);
