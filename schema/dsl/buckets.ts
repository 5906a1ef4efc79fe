/** Values of buckets, shared by server and pages. */
import type { Bucket, Entity } from './entity';
import type { Field } from './field';

/** Returns the values to filter by, in order: words, or ranges such as `0-50`, `51-100`, `101+`. */
export function bucketValues(bucket: Bucket): readonly string[] {
  if (!('of' in bucket)) return bucket;
  return bucket.from.map((from, index) => {
    const next = bucket.from[index + 1];
    return next === undefined ? `${from}+` : `${from}-${next - 1}`;
  });
}

/** Returns a bucket as a choice field for filters; `undefined` if the entity has no bucket of that name. */
export function bucketField({ buckets }: Pick<Entity, 'buckets'>, name: string): Field<'choice'> | undefined {
  const bucket = Object.hasOwn(buckets, name) ? buckets[name] : undefined;
  return bucket && { kind: 'choice', choices: bucketValues(bucket), write: false, store: 'derived' };
}
