/** Taking rows out of the bin for good, inside a transaction: with what belongs to them, and with their files. */
import { sql } from 'drizzle-orm';
import type { Entity } from '../../../schema/dsl/entity';
import { namedRoles } from '../../../schema/shared/roles';
import { column, hooksOf, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import { writeAuditEntries } from './audit';
import { lockRows } from './lockRows';
import { pointing, type Removal, refusalsOf, used } from './remove';

/** What is removed for good comes back from no bin: it takes an Admin. */
export function requirePurge({ roles }: Caller): void {
  if (!roles.some(({ name }) => name === namedRoles.admin.name)) throw ApiError.unauthorized();
}

/** Removes rows of the bin. 409 while rows that stay point at them, in the bin or not. */
export async function purgeRows(removal: Removal): Promise<void> {
  const { services, tx, entity, caller, rows, told } = removal;
  const refusals = refusalsOf(removal);
  const ids = rows.map(({ id }) => id);
  const among = (name: string) => sql`${column(sql.raw('m'), name)} = any(${sql.param(ids)}::int[])`;
  for (const { other, name } of pointing(services, entity, true)) {
    const belonging = await tx.rows<{ id: number }>(sql`select m.id from ${table(other)} m where ${among(name)}`);
    if (belonging.length === 0) continue;
    const along = await lockRows(tx, other, caller, { ids: belonging.map(({ id }) => id), trashed: true });
    await purgeRows({ services, tx, entity: other, caller, rows: along });
  }
  for (const [id, refusal] of await used({ services, tx, entity, caller, rows }, true)) refusals.add(id, refusal);
  told?.(rows.length, rows.length);
  if (await refusals.stop(tx)) return;
  await writeAuditEntries(
    tx,
    { entity, by: caller, action: 'remove' },
    rows.map((row) => ({ id: row.id, before: rememberable(entity, row) })),
  );
  await hooksOf(entity).gone?.(tx, ids);
  await tx.rows(sql`delete from ${table(entity)} where id = any(${sql.param(ids)}::int[])`);
  // Pictures may serve other rows as well: those that none names any more go with the next sweep.
  await tx.rows(sql`delete from files where name = any(${ids.map((id) => `${entity.name}/${id}`)}::text[])`);
}

/** What the row itself held; figures and states that follow from elsewhere are not its own. */
const rememberable = (entity: Entity, row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name]) => (entity.fields[name]?.store ?? 'row') === 'row' || entity.fields[name]?.kind === 'records',
    ),
  );
