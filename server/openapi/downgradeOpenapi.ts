/**
 * Converts the document to OpenAPI 3.0 for the documentation page. Swagger UI resolves a 3.1 document as a whole, on
 * load and each time an operation is opened, which takes seconds for one of this size.
 */
import { apiPrefix } from '../http/http';
import type { Schema } from './schemas';

/**
 * Returns the document with every schema in the vocabulary of 3.0. The meaning is the same, except for types that only
 * 3.1 has.
 */
export function downgradeOpenapi({ info, ...document }: Schema): Schema {
  const { summary: _summary, license, ...texts } = info as Schema;
  return {
    ...(downgrade(document) as Schema),
    openapi: '3.0.3',
    info: {
      ...texts,
      description: `${texts.description}\n\n${originalNote}`,
      license: { name: (license as Schema).name },
    },
  };
}

const originalNote = `For programs, as OpenAPI 3.1: [openapi.json](${apiPrefix}/openapi.json)`;

/** Keys whose values are data instead of schemas. */
const dataKeys: ReadonlySet<string> = new Set([
  'default',
  'enum',
  'example',
  'examples',
  'required',
  'security',
  'tags',
]);

function downgrade(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(downgrade);
  if (!isSchema(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    // Properties may have the name of a keyword.
    key === 'properties' && isSchema(inner)
      ? mapValues(inner, downgrade)
      : dataKeys.has(key)
        ? inner
        : downgrade(inner),
  ]);
  return withItems(withLimits(withConstant(withTypes(withoutNull(Object.fromEntries(entries))))));
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (schema: Schema, map: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, map(value)]));

/** Replaces an alternative `{ type: 'null' }` by `nullable`. */
function withoutNull(schema: Schema): Schema {
  for (const key of ['anyOf', 'oneOf']) {
    const { [key]: choices, ...rest } = schema;
    if (!Array.isArray(choices)) continue;
    const others = (choices as Schema[]).filter(({ type }) => type !== 'null');
    if (others.length === choices.length) continue;
    const [only] = others;
    if (others.length !== 1 || !only) return { ...rest, [key]: others.map(nullable) };
    return { ...rest, ...nullable(only) };
  }
  return schema;
}

/** In 3.0, a reference must not have siblings. */
const nullable = (schema: Schema): Schema => ({ ...('$ref' in schema ? { allOf: [schema] } : schema), nullable: true });

/** Replaces a list of types by `nullable` and alternatives. */
function withTypes(schema: Schema): Schema {
  const { type, items, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const types = type.filter((name) => name !== 'null');
  const optional = types.length < type.length ? { nullable: true } : {};
  const typeSchema = (name: unknown): Schema => ({
    type: name,
    ...(name === 'array' && items !== undefined ? { items } : {}),
    ...optional,
  });
  return types.length === 1
    ? { ...rest, ...typeSchema(types[0]) }
    : { ...rest, anyOf: types.map((name) => withItems(typeSchema(name))) };
}

/** Replaces `const` by a list of one value, and the media type of a file by its 3.0 format. */
function withConstant(schema: Schema): Schema {
  const { const: constant, contentMediaType, ...rest } = schema;
  if (contentMediaType === 'application/octet-stream') return { ...rest, format: 'binary' };
  return constant === undefined || isSchema(constant) ? schema : { ...rest, enum: [constant] };
}

/** In 3.0, an exclusive limit is a flag of the limit. */
function withLimits(schema: Schema): Schema {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  return {
    ...schema,
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {}),
  };
}

const withItems = (schema: Schema): Schema =>
  schema.type === 'array' && schema.items === undefined ? { ...schema, items: {} } : schema;
