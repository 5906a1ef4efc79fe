/** Names of filters: the paths that a caller may filter by. */
import type { Field } from '../../../schema/dsl/field';
import { parseFilterName, plainFilterName } from '../../../schema/dsl/filterName';
import { type Caller, hasPermission } from '../../context/caller';
import type { ModelEntity } from '../../context/services';
import { isBucket } from './buckets';
import { isReadableField, readableFields } from './fields';
import { isText } from './operators';

/** Names of filters that the 400 about an unknown filter lists. */
export function allowedFilters(entity: ModelEntity, caller: Caller): string[] {
  const readable = readableFields(entity, caller).filter((name) => entity.fields[name]?.kind !== 'records');
  const declared = [...entity.list.filters, ...entity.list.search].filter(
    (path) => path.includes('.') && isKnownFilter(entity, caller, path),
  );
  return [
    ...new Set([
      ...readable,
      ...Object.keys(entity.buckets).filter((name) => mayUseBucket(entity, caller, name)),
      ...declared,
      'search',
      'trashed',
    ]),
  ];
}

/** Whether the caller may filter by `name`, which may have a suffix such as `.not`. */
export function isKnownFilter(entity: ModelEntity, caller: Caller, name: string): boolean {
  if (plainFilterName(name) === 'search' || name === 'trashed') return true;
  const { path, test } = parseFilterName(name);
  if (isBucket(entity, path)) return test === undefined && mayUseBucket(entity, caller, path);
  const steps = path.split('.');
  if (steps.length > 4) return false;
  const field = fieldAtPath(entity, steps, caller);
  if (!field || field.kind === 'records' || field.kind === 'many' || field.kind === 'password') return false;
  return test === undefined || isText(field.kind);
}

/** Whether the filter compares ids: those of a reference, or the `id` of the row or of a related one. */
export function isReference(entity: ModelEntity, name: string): boolean {
  const { path } = parseFilterName(name);
  const steps = path.split('.');
  return steps.at(-1) === 'id' || ['ref', 'refs'].includes(fieldAtPath(entity, steps)?.kind ?? '');
}

/** Field at the end of a path; `undefined` if there is none, or if `caller` is given and may not read every step. */
export function fieldAtPath(
  entity: ModelEntity,
  [step = '', ...rest]: readonly string[],
  caller?: Caller,
): Field | undefined {
  if (rest.length === 0) {
    const field = Object.hasOwn(entity.fields, step) ? entity.fields[step] : undefined;
    return field && (!caller || isReadableField(field, caller)) ? field : undefined;
  }
  const relation = entity.relations.get(step);
  if (!relation || (caller && !mayFollowRelation(relation, caller))) return undefined;
  return fieldAtPath(relation.target, rest, caller);
}

/** Whether the caller may filter by a bucket: by a number of related rows only if the caller may read such rows. */
export function mayUseBucket(entity: ModelEntity, caller: Caller, name: string): boolean {
  const bucket = entity.buckets[name];
  const relation = bucket && 'of' in bucket ? entity.relations.get(bucket.of) : undefined;
  return !relation || mayFollowRelation(relation, caller);
}

/** Whether the caller may read the relation's field and the related entity. */
export function mayFollowRelation({ field, target }: { field: Field; target: ModelEntity }, caller: Caller): boolean {
  return (
    isReadableField(field, caller) &&
    (hasPermission(caller, `${target.name}.list`) || hasPermission(caller, `${target.name}.show`))
  );
}
