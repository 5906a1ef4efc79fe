/** Deleting to the bin and restoring, inside a transaction. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../../schema/dsl/entity';
import type { Queries } from '../../db/database';
import type { Services } from '../../services';
import { note } from '../audit';
import type { Caller } from '../caller';
import { Refusal } from '../errors';
import { column, living, serverOf, table } from '../model';
import { countedOf, nameOf } from '../texts';
import { stillWithin } from './write';

export interface Removal {
  services: Services;
  tx: Queries;
  entity: Entity;
  caller: Caller;
  /** Locked rows. */
  rows: readonly ({ id: number } & Record<string, unknown>)[];
}

/** Sends rows to the bin with what belongs to them. 409 while living rows of other entities still point at them. */
export async function removeRows({ services, tx, entity, caller, rows }: Removal): Promise<void> {
  for (const current of rows) await serverOf(entity).beforeDelete?.({ tx, caller, services, id: current.id, current });
  const ids = rows.map(({ id }) => id);
  await refuseWhileUsed({ services, tx, entity, caller, rows });
  await tx.rows(sql`update ${table(entity)} set deleted_at = now(), version = version + 1, updated_at = now() where id = any(${sql.param(ids)}::int[])`);
  await note(tx, { entity, by: caller, action: 'delete' }, rows.map(sole));
  for (const { other, name } of pointing(services, entity, true)) {
    const along = await tx.rows<{ id: number }>(
      sql`update ${table(other)} m set deleted_at = now(), version = version + 1, updated_at = now() where ${column(sql.raw('m'), name)} = any(${sql.param(ids)}::int[]) and ${living(sql.raw('m'))} returning m.id`,
    );
    await note(tx, { entity: other, by: caller, action: 'delete' }, along);
  }
  await serverOf(entity).afterBin?.({ tx, caller, services, rows });
}

/** Takes a row out of the bin, with what went there together with it. 409 when its place was taken meanwhile. */
export async function restoreRow({ services, tx, entity, caller, rows }: Removal): Promise<void> {
  for (const { id } of rows) {
    const gone = sql`(select deleted_at from ${table(entity)} where id = ${id}::int)`;
    for (const { other, name } of pointing(services, entity, true)) {
      const along = await tx.rows<{ id: number }>(
        sql`update ${table(other)} m set deleted_at = null, version = version + 1, updated_at = now() where ${column(sql.raw('m'), name)} = ${id}::int and m.deleted_at = ${gone} returning m.id`,
      );
      await note(tx, { entity: other, by: caller, action: 'restore' }, along);
    }
    await refuseDeadReferences({ services, tx, entity, caller, rows });
    await tx.rows(sql`update ${table(entity)} set deleted_at = null, version = version + 1, updated_at = now() where id = ${id}::int`);
    await stillWithin(tx, entity, caller, [id]);
  }
  await note(tx, { entity, by: caller, action: 'restore' }, rows.map(sole));
  await serverOf(entity).afterBin?.({ tx, caller, services, rows });
}

const sole = ({ id }: { id: number }) => ({ id });

/** References of other entities to this one: those that follow it into the bin, or those that keep it out. */
export function pointing({ entities }: Services, entity: Entity, cascading: boolean): { other: Entity; name: string }[] {
  return entities.flatMap((other) =>
    Object.entries(other.fields)
      .filter(([, field]) => field.kind === 'ref' && field.to === entity.name && field.store !== 'derived' && (field.onDelete === 'cascade') === cascading)
      .map(([name]) => ({ other, name })),
  );
}

async function refuseWhileUsed({ services, tx, entity, caller, rows }: Removal): Promise<void> {
  const ids = sql.param(rows.map(({ id }) => id));
  const m = sql.raw('m');
  const uses: string[] = [];
  for (const { other, name } of pointing(services, entity, false)) {
    const found = await tx.one<{ n: number }>(
      sql`select count(*)::int as n from ${table(other)} m where ${column(m, name)} = any(${ids}::int[]) and ${living(m)}`,
    );
    if (found && found.n > 0) uses.push(countedOf(caller.language, other, found.n));
  }
  if (uses.length > 0) throw Refusal.conflict('in_use', { name: nameOf(caller.language, entity), uses: uses.join(', ') });
}

/** A row cannot come back while what it points at is itself in the bin. */
async function refuseDeadReferences({ tx, entity, rows }: Removal): Promise<void> {
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'ref' || field.store === 'derived') continue;
    const dead: SQL = sql`select 1 from ${sql.identifier(field.to as string)} t where t.id = any(${sql.param(rows.map((row) => row[name]).filter((id) => id !== null))}::int[]) and t.deleted_at is not null`;
    if (await tx.one(dead)) throw Refusal.conflict('conflict');
  }
}
