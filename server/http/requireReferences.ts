/** Limits the number of references in one field, in every kind of request. */
import type { Field } from '../../schema/dsl/field';
import { requestLimits } from '../../schema/dsl/requestLimits';
import { ApiError } from '../context/errors';

/**
 * Requires the number of references in each field to be within the limit.
 * @throws 400 that names the field with too many
 */
export function requireReferences(
  fields: Readonly<Record<string, Field>>,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const [name, { kind }] of Object.entries(fields)) {
    const value = kind === 'refs' && Object.hasOwn(values, name) ? values[name] : undefined;
    if (Array.isArray(value) && value.length > requestLimits.references)
      throw ApiError.limitExceeded('limit_references', requestLimits.references, name);
  }
}
