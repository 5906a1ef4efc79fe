/** Reads the fields of a call beyond CRUD from JSON or a form, and validates them with the same rules as entities. */
import type { FastifyRequest } from 'fastify';
import type { Field } from '../../schema/dsl/field';
import { problemsOf } from '../../schema/dsl/rules';
import { ApiError } from '../context/errors';
import { readFormParts } from './readFormParts';
import { requireReferences } from './requireReferences';

/**
 * Returns the values by name.
 * @throws 422 for invalid or unknown fields; `entity` is the resource whose labels the messages use
 */
export async function readBodyFields<N extends string>(
  request: FastifyRequest,
  fields: Record<N, Field>,
  entity = 'users',
): Promise<Partial<Record<N, unknown>>> {
  const { _method, ...values } = await readSentValues(request, fields);
  requireReferences(fields, values);
  const problems = problemsOf({ fields }, values, { fields: Object.keys(fields), side: 'server' });
  if (problems.size > 0) throw ApiError.invalid(problems, entity);
  return values as Partial<Record<N, unknown>>;
}

async function readSentValues(
  request: FastifyRequest,
  fields: Record<string, Field>,
): Promise<Record<string, unknown>> {
  if (request.isMultipart()) {
    const entries: [string, unknown][] = [];
    for await (const part of readFormParts(request)) {
      if ('bytes' in part) throw ApiError.invalidAt(part.name, { key: 'unknown' });
      entries.push([part.name, part.text]);
    }
    return valuesFromForm(entries, fields);
  }
  const { body } = request;
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw ApiError.malformed();
  const isForm = /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
  return isForm ? valuesFromForm(Object.entries(body), fields) : (body as Record<string, unknown>);
}

/** Converts form texts: ids and integers to numbers, empty texts to null. */
function valuesFromForm(entries: [string, unknown][], fields: Record<string, Field>): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const isNumber =
        Object.hasOwn(fields, name) &&
        ['ref', 'integer'].includes(fields[name]?.kind ?? '') &&
        /^\d+$/.test(String(value));
      return [name, value === '' ? null : isNumber ? Number(value) : value];
    }),
  );
}
