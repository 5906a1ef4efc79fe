/** Creates and updates rows, inside a transaction wherever that takes more than one statement. What is acknowledged afterwards is committed. */
import { sql } from 'drizzle-orm';
import { missing } from '../../../schema/dsl/checks';
import type { Entity, Scope } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import type { Queries } from '../../db/database';
import { note } from '../audit';
import type { Caller } from '../caller';
import { type FieldProblem, Refusal } from '../errors';
import { entityNamed, linkOf, serverOf, table } from '../model';
import { unlimited, visibleIds, within } from '../scope';
import { checked } from './check';
import type { Draft } from './draft';
import type { Stored } from './stored';

/** What was written: the row's id and the values that changed. */
export interface Written {
  id: number;
  values: Record<string, unknown>;
}

export async function createRow(draft: Draft): Promise<Written> {
  const { tx, entity, caller, services } = draft;
  const values = await checked(draft);
  const columns = columnsOf(entity, values);
  const insert =
    columns.length === 0
      ? sql`insert into ${table(entity)} default values returning id`
      : sql`insert into ${table(entity)} (${sql.join(
          columns.map(([name]) => sql`${sql.identifier(name)}`),
          sql`, `,
        )}) values (${sql.join(
          columns.map(([, value]) => sql`${sql.param(value)}`),
          sql`, `,
        )}) returning id`;
  const row = await tx.one<{ id: number }>(insert);
  const id = (row as { id: number }).id;
  await storeLinks(tx, draft, { id, values });
  await serverOf(entity).after?.({ tx, caller, services, id, values, current: undefined, fail: failNow(entity) });
  await note(tx, { entity, by: caller, action: 'create' }, [{ id, after: values }]);
  await stillWithin(tx, entity, caller, [id]);
  return { id, values };
}

/** Changes locked rows with the same sent values; rows that would not change are not written. Gives back what changed, for every row. */
export async function updateRows(draft: Omit<Draft, 'current'>, rows: readonly Stored[]): Promise<Written[]> {
  const { tx, entity, caller, services } = draft;
  const written: Written[] = [];
  for (const current of rows) written.push({ id: current.id, values: await checked({ ...draft, current }) });
  for (const { ids, values } of alike(written)) {
    const sets = columnsOf(entity, values).map(([name, value]) => sql`${sql.identifier(name)} = ${sql.param(value)}, `);
    await tx.rows(sql`update ${table(entity)} set ${sql.join(sets, sql``)}version = version + 1, updated_at = now() where id = any(${sql.param(ids)}::int[])`);
    for (const id of ids) {
      const current = rows.find((row) => row.id === id) as Stored;
      const context = { tx, caller, services, id, values, current, fail: failNow(entity) };
      await storeLinks(tx, draft, { id, values });
      await serverOf(entity).after?.(context);
      await serverOf(entity).afterEdit?.(context);
    }
    await stillWithin(tx, entity, caller, ids);
  }
  const notes = written.map(({ id, values }) => ({ id, before: rows.find((row) => row.id === id), after: values }));
  await note(tx, { entity, by: caller, action: 'edit' }, notes);
  return written;
}

/** Rows that change in the same way, to be written by one statement. */
function alike(written: readonly Written[]): { ids: number[]; values: Record<string, unknown> }[] {
  const groups = new Map<string, { ids: number[]; values: Record<string, unknown> }>();
  for (const { id, values } of written) {
    if (Object.keys(values).length === 0) continue;
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { ids: [], values };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const failNow = (entity: Entity) => (field: string, found: FieldProblem) => {
  throw Refusal.invalidAt(field, found, entity.name);
};

/** The columns of the row itself among the values, as PostgreSQL takes them. */
export function columnsOf(entity: Entity, values: Record<string, unknown>): [string, unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const field = entity.fields[name] as Field;
    if (['refs', 'records', 'password', 'many'].includes(field.kind) || (field.store ?? 'row') !== 'row' || value === undefined) return [];
    return [[name, field.kind === 'money' && value !== null ? String(value) : value]];
  });
}

/** Puts the links of `refs` fields in place. Links to rows that the caller cannot see are not theirs to remove. */
export async function storeLinks(tx: Queries, { entity, caller }: Pick<Draft, 'entity' | 'caller'>, { id, values }: Written): Promise<void> {
  for (const [name, field] of Object.entries(entity.fields)) {
    if (field.kind !== 'refs' || !Array.isArray(values[name])) continue;
    const ids = sql.param(values[name] as number[]);
    const link = linkOf(entity, field);
    const target = entityNamed(field.to as string);
    const m = sql.raw('m');
    await tx.rows(
      sql`delete from ${link.table} l using ${table(target)} m where l.${link.own} = ${id}::int and m.id = l.${link.other} and not m.id = any(${ids}::int[]) and ${within(target, caller, m)}`,
    );
    await tx.rows(sql`insert into ${link.table} (${link.own}, ${link.other}) select ${id}::int, unnest(${ids}::int[]) on conflict do nothing`);
  }
}

/** After every write the row must still be within the caller's scope; otherwise the field that took it out is refused. */
export async function stillWithin(tx: Queries, entity: Entity, caller: Caller, ids: readonly number[]): Promise<void> {
  if (unlimited(entity, caller)) return;
  const seen = await visibleIds(tx, entity, caller, ids);
  if (seen.length === ids.length) return;
  const field = decidingField(entity, caller);
  throw Refusal.invalidAt(
    field,
    (await isLeftOut(tx, entity, field, ids)) ? missing(entity.fields[field] as Field) : { text: 'beyond_own_rights', values: {} },
    entity.name,
  );
}

/** Whether the rows belong to nobody: people forget a field more often than they reach too far. */
async function isLeftOut(tx: Queries, entity: Entity, name: string, ids: readonly number[]): Promise<boolean> {
  if (entity.fields[name]?.kind !== 'ref') return false;
  const found = await tx.one(sql`select 1 from ${table(entity)} where id = any(${sql.param([...ids])}::int[]) and ${sql.identifier(name)} is null limit 1`);
  return found !== undefined;
}

/** The own field at which the caller's scope begins: `fleet_id` for a machine. */
function decidingField(entity: Entity, { scopes }: Caller): string {
  const { country, client, site, machine } = entity.scope as Scope;
  const path =
    (scopes.has('country') && country) ||
    ((scopes.has('partner') || scopes.has('client')) && client) ||
    site?.fleet ||
    machine?.fleet ||
    country ||
    client ||
    'id';
  const [first = 'id'] = path.split('.');
  return [first, `${first}_id`].find((name) => Object.hasOwn(entity.fields, name)) ?? 'id';
}
