/** SQL of buckets: the choice or range that a row falls into. */
import { type SQL, sql } from 'drizzle-orm';
import { bucketValues } from '../../../schema/dsl/buckets';
import { hasState, stateTableSql } from '../../access/entityModel';
import type { ModelEntity, Relation } from '../../context/services';
import type { RowAliases } from './fields';
import { ownersSql } from './related';

export const isBucket = ({ buckets }: ModelEntity, name: string): boolean => Object.hasOwn(buckets, name);

/** SQL condition: the bucket of `row` passes `test`. */
export function bucketWhere(aliases: Omit<RowAliases, 'state'>, name: string, test: (value: SQL) => SQL): SQL {
  const { entity, row, context } = aliases;
  const state = context.alias();
  const condition = test(bucketValueSql({ ...aliases, state }, name));
  if (!hasState(entity)) return condition;
  return sql`exists (select 1 from ${stateTableSql(entity)} ${state} where ${state}.id = ${row}.id and ${condition})`;
}

/** SQL of the bucket of `row`. */
export function bucketValueSql(aliases: RowAliases, name: string): SQL {
  const bucket = aliases.entity.buckets[name];
  if (!bucket) throw new Error(`${aliases.entity.name} has no bucket ${name}`);
  if ('of' in bucket) {
    const relation = aliases.entity.relations.get(bucket.of) as Relation;
    const [least, ...larger] = bucketValues(bucket);
    // Largest range first. Each range counts related rows once for all owners, however many rows are tested.
    const ranges = larger
      .map(
        (value, index) =>
          sql`when ${aliases.row}.id in (${ownersSql(aliases, relation, bucket.from[index + 1] as number)})
            then ${value}::text`,
      )
      .reverse();
    return sql`(case ${sql.join(ranges, sql` `)} else ${least}::text end)`;
  }
  // The hook's SQL may read any table, and the clock, so counts over it are not cached.
  aliases.context.reads('*');
  const buildSql = aliases.entity.hooks.buckets?.[name];
  if (!buildSql) throw new Error(`No hook supplies the SQL of the bucket ${aliases.entity.name}.${name}`);
  return buildSql({ row: aliases.row, state: aliases.state });
}
