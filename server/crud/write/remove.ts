/** Deleting to the bin and restoring, inside a transaction. */
import { sql } from 'drizzle-orm';
import type { Entity } from '../../../schema/dsl/entity';
import { column, hooksOf, notDeleted, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { countedOf, nameOf, problemText } from '../../i18n/messages';
import { writeAuditEntries } from './audit';
import { RowErrors } from './rowErrors';
import { assertWithinScope, type OnProgress } from './write';

export interface Removal {
  services: Services;
  tx: Queries;
  entity: Entity;
  caller: Caller;
  /** Locked rows. */
  rows: readonly ({ id: number } & Record<string, unknown>)[];
  told?: OnProgress;
  /** Of work in pieces, of which these rows are one. */
  refusals?: RowErrors;
}

/** Those of the whole work, or of these rows alone. */
export const refusalsOf = ({
  entity,
  caller,
  rows,
  refusals = new RowErrors({ entity, caller, of: rows.length }),
}: Removal): RowErrors => refusals;

/**
 * Sends rows to the bin with what belongs to them. 409 while living rows of other entities still point at them. All or
 * none: of several the ones that must stay are named.
 */
export async function trashRows(removal: Removal): Promise<void> {
  const { services, tx, entity, caller, rows, told } = removal;
  const refusals = refusalsOf(removal);
  for (const [index, current] of rows.entries()) {
    await refusals.taking(current.id, async () =>
      hooksOf(entity).beforeDelete?.({ tx, caller, services, id: current.id, current }),
    );
    told?.(index + 1, rows.length);
  }
  const ids = rows.map(({ id }) => id);
  for (const [id, refusal] of await used({ services, tx, entity, caller, rows })) refusals.add(id, refusal);
  if (await refusals.stop(tx)) return;
  await tx.rows(
    sql`update ${table(entity)} set deleted_at = now(), version = version + 1, updated_at = now()
      where id = any(${sql.param(ids)}::int[])`,
  );
  await writeAuditEntries(tx, { entity, by: caller, action: 'delete' }, rows.map(sole));
  for (const { other, name } of pointing(services, entity, true)) {
    const along = await tx.rows<{ id: number }>(
      sql`update ${table(other)} m set deleted_at = now(), version = version + 1, updated_at = now()
        where ${column(sql.raw('m'), name)} = any(${sql.param(ids)}::int[]) and ${notDeleted(sql.raw('m'))}
        returning m.id`,
    );
    await writeAuditEntries(tx, { entity: other, by: caller, action: 'delete' }, along);
  }
  await hooksOf(entity).afterBin?.({ tx, caller, services, rows });
}

/**
 * Takes rows out of the bin, with what went there together with them. 409 when the place of one was taken meanwhile.
 */
export async function restoreRows(removal: Removal): Promise<void> {
  const { services, tx, entity, caller, rows, told } = removal;
  const refusals = refusalsOf(removal);
  const ids = rows.map(({ id }) => id);
  for (const id of await deadReferences({ tx, entity, rows })) refusals.add(id, ApiError.conflict('conflict'));
  if (rows.length > 1) for (const [id, refusal] of await taken({ tx, entity, caller, rows })) refusals.add(id, refusal);
  told?.(rows.length, rows.length);
  if (await refusals.stop(tx)) return;
  for (const { other, name } of pointing(services, entity, true)) {
    const along = await tx.rows<{ id: number }>(
      sql`update ${table(other)} m set deleted_at = null, version = m.version + 1, updated_at = now()
        from ${table(entity)} back
        where back.id = any(${sql.param(ids)}::int[]) and ${column(sql.raw('m'), name)} = back.id
        and m.deleted_at = back.deleted_at returning m.id`,
    );
    await writeAuditEntries(tx, { entity: other, by: caller, action: 'restore' }, along);
  }
  await tx.rows(
    sql`update ${table(entity)} set deleted_at = null, version = version + 1, updated_at = now()
      where id = any(${sql.param(ids)}::int[])`,
  );
  await assertWithinScope(tx, entity, caller, ids);
  await writeAuditEntries(tx, { entity, by: caller, action: 'restore' }, rows.map(sole));
  await hooksOf(entity).afterBin?.({ tx, caller, services, rows });
}

const sole = ({ id }: { id: number }) => ({ id });

/** References of other entities to this one: those that follow it into the bin, or those that keep it out. */
export function pointing(
  { entities }: Services,
  entity: Entity,
  cascading: boolean,
): { other: Entity; name: string }[] {
  return entities.flatMap((other) =>
    Object.entries(other.fields)
      .filter(
        ([, field]) =>
          field.kind === 'ref' &&
          field.to === entity.name &&
          field.store !== 'derived' &&
          (field.onDelete === 'cascade') === cascading,
      )
      .map(([name]) => ({ other, name })),
  );
}

/** The rows that others point at, each with what uses it; for good also by what is in the bin. */
export async function used(
  { services, tx, entity, caller, rows }: Removal,
  forGood = false,
): Promise<[id: number, refusal: ApiError][]> {
  const ids = sql.param(rows.map(({ id }) => id));
  const m = sql.raw('m');
  const uses = new Map<number, string[]>();
  for (const { other, name } of pointing(services, entity, false)) {
    const found = await tx.rows<{ id: number; n: number }>(
      sql`select ${column(m, name)} as id, count(*)::int as n from ${table(other)} m
        where ${column(m, name)} = any(${ids}::int[]) and ${forGood ? sql`true` : notDeleted(m)} group by 1 order by 1`,
    );
    for (const { id, n } of found) uses.set(id, [...(uses.get(id) ?? []), countedOf(caller.language, other, n)]);
  }
  return [...uses].map(([id, some]) => [
    id,
    ApiError.conflict(forGood ? 'in_use_for_good' : 'in_use', {
      name: nameOf(caller.language, entity),
      uses: some.join(', '),
    }),
  ]);
}

/** A row cannot come back while what it points at is itself in the bin. */
async function deadReferences({ tx, entity, rows }: Pick<Removal, 'tx' | 'entity' | 'rows'>): Promise<number[]> {
  const ids = sql.param(rows.map(({ id }) => id));
  const found: number[] = [];
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'ref' || field.store === 'derived') continue;
    const dead = sql`select m.id from ${table(entity)} m
      join ${sql.identifier(field.to as string)} t on t.id = ${column(sql.raw('m'), name)}
      where m.id = any(${ids}::int[]) and t.deleted_at is not null order by m.id`;
    found.push(...(await tx.rows<{ id: number }>(dead)).map(({ id }) => id));
  }
  return found;
}

/** The rows whose unique values living rows hold by now. */
async function taken({
  tx,
  entity,
  caller,
  rows,
}: Pick<Removal, 'tx' | 'entity' | 'caller' | 'rows'>): Promise<[id: number, refusal: ApiError][]> {
  const ids = sql.param(rows.map(({ id }) => id));
  const found: [number, ApiError][] = [];
  for (const [name, field] of Object.entries(entity.fields)) {
    if (!field.unique || (field.store ?? 'row') !== 'row') continue;
    const same = (row: string) =>
      field.kind === 'email' ? sql`lower(${column(sql.raw(row), name)})` : column(sql.raw(row), name);
    const held = await tx.rows<{ id: number }>(sql`select m.id from ${table(entity)} m
      where m.id = any(${ids}::int[]) and exists (select 1 from ${table(entity)} o where ${same('o')} = ${same('m')}
      and ${notDeleted(sql.raw('o'))}) order by m.id`);
    const message = problemText(caller.language, { entity, field: name, problem: { key: 'taken' } });
    for (const { id } of held) found.push([id, new ApiError(409, message)]);
  }
  return found;
}
