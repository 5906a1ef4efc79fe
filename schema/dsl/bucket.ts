/** Buckets as both sides read them: which values one has, and which range a number falls in. */
import type { Bucket, Entity } from './entity';
import type { Field } from './field';

/** What can be asked for, in order: the words, or ranges such as `0-50`, `51-100`, `101+`. */
export function bucketValues(bucket: Bucket): readonly string[] {
  if (!('of' in bucket)) return bucket;
  return bucket.from.map((from, index) => {
    const next = bucket.from[index + 1];
    return next === undefined ? `${from}+` : `${from}-${next - 1}`;
  });
}

/** A bucket of the entity as the choice that filters ask for; `undefined` when it has none of that name. */
export function bucketField({ buckets }: Pick<Entity, 'buckets'>, name: string): Field<'choice'> | undefined {
  const bucket = Object.hasOwn(buckets, name) ? buckets[name] : undefined;
  return bucket && { kind: 'choice', choices: bucketValues(bucket), write: false, store: 'derived' };
}
