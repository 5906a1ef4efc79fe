/** Finds duplicates of unique values among the rows of the entity and earlier rows of the file. */
import { sql } from 'drizzle-orm';
import { column, notDeleted, table } from '../../access/entityModel';
import { sqlTypeOf } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { ImportContext, RuleCheckedRow } from './importContext';

/** Reports each duplicate with `fail` of its row. */
export async function findDuplicateValues(
  context: ImportContext,
  db: Queries,
  checkedRows: readonly RuleCheckedRow[],
): Promise<void> {
  const m = sql.raw('m');
  for (const [name, field] of Object.entries(context.entity.fields)) {
    if (!field.unique) continue;
    const keyOf = (value: unknown) => (field.kind === 'email' ? String(value).toLowerCase() : String(value));
    const candidates = checkedRows.filter(
      ({ rules }) => rules?.isFieldValid(name) && rules.values[name] !== undefined && rules.values[name] !== null,
    );
    if (candidates.length === 0) continue;
    const values = [...new Set(candidates.map(({ rules }) => keyOf(rules?.values[name])))];
    const comparableSql = field.kind === 'email' ? sql`lower(${column(m, name)})` : column(m, name);
    const rows = await db.select(
      { id: pg.integer, value: pg.text },
      sql`select m.id, ${comparableSql}::text as value from ${table(context.entity)} m
        where ${comparableSql} = any(${sql.param(values)}::text[]::${sql.raw(sqlTypeOf(field))}[])
        and ${notDeleted(m)}`,
    );
    const holders = new Map(rows.map(({ id, value }) => [value, id]));
    for (const { draft, rules } of candidates) {
      const value = keyOf(rules?.values[name]);
      const holder = holders.get(value);
      const key = `${name} ${value}`;
      const firstRow = context.claimedKeys.get(key) ?? draft.row;
      context.claimedKeys.set(key, firstRow);
      if (firstRow !== draft.row || (holder !== undefined && holder !== draft.current?.id))
        rules?.fail(name, { key: 'taken' });
    }
  }
}
