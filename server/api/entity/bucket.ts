/** Buckets of rows as SQL: which word or range a row belongs to. */
import { type SQL, sql } from 'drizzle-orm';
import { bucketValues } from '../../../schema/dsl/bucket';
import type { Entity } from '../../../schema/dsl/entity';
import { hasState, type Relation, relationsOf, serverOf, stateTable } from '../model';
import type { At } from './fields';
import { countSql } from './related';

export const isBucket = ({ buckets }: Entity, name: string): boolean => Object.hasOwn(buckets, name);

/** The rows at `row` whose bucket of that name passes the test. */
export function bucketSql(at: Omit<At, 'state'>, name: string, test: (value: SQL) => SQL): SQL {
  const { entity, row, sketch } = at;
  const state = sketch.alias();
  const passes = test(bucketValueSql({ ...at, state }, name));
  if (!hasState(entity)) return passes;
  return sql`exists (select 1 from ${stateTable(entity)} ${state} where ${state}.id = ${row}.id and ${passes})`;
}

/** The value of a bucket for the row of `at`. */
export function bucketValueSql(at: At, name: string): SQL {
  const bucket = at.entity.buckets[name];
  if (!bucket) throw new Error(`${at.entity.name} has no bucket ${name}`);
  if ('of' in bucket) {
    const relation = relationsOf(at.entity).get(bucket.of) as Relation;
    at.sketch.reads(relation.target.name);
    const values = sql.join(
      bucketValues(bucket).map((value) => sql`${value}::text`),
      sql`, `,
    );
    return sql`(array[${values}])[width_bucket(${countSql(at, relation)}, array[${sql.raw(bucket.from.join(', '))}])]`;
  }
  // What a word follows from, the clock among it, is known to its SQL alone: a count over it is never remembered.
  at.sketch.reads('*');
  const word = serverOf(at.entity).buckets?.[name];
  if (!word) throw new Error(`server/entities/${at.entity.name}.ts gives no SQL for the bucket ${name}`);
  return word({ row: at.row, state: at.state });
}
