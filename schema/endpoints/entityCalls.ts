/** Calls that every entity has (`server/app/entityRoutes.ts`), with responses other than rows. */
import Type, { type Static } from 'typebox';
import { text } from '../dsl/field';
import { countSchema, dataOf, defineEndpoints, pageOf } from './endpoint';
import { ImportSchema } from './imports';

export const FacetValueSchema = Type.Object({
  value: Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'integer', 'boolean', 'null'],
    description: 'As the filter of that name accepts it',
  }),
  label: Type.Unsafe<string | null>({ type: ['string', 'null'], description: "In the reader's language" }),
  count: Type.Integer(),
});

export const ListGroupSchema = Type.Object({
  value: Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'integer', 'boolean', 'null'],
    description: 'As a filter of the field accepts it; for a date, its month, such as `2026-11`',
  }),
  label: Type.Unsafe<string | null>({ type: ['string', 'null'], description: "In the reader's language" }),
  count: countSchema,
  sums: Type.Unsafe<Record<string, number | string | null>>({
    type: 'object',
    additionalProperties: { type: ['number', 'string', 'null'] },
    description: 'By field; money as a decimal string, null where no row has a value',
  }),
});

export const TallySchema = Type.Object({
  count: Type.Integer({ description: 'Rows of all groups' }),
  data: Type.Array(
    Type.Object({
      value: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Id of the referenced row' }),
      label: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      count: Type.Integer(),
    }),
  ),
});
export type Tally = Static<typeof TallySchema>;

const params = { resource: text() };

/**
 * Declares these calls for the types in the browser. The document describes them per entity
 * (`server/openapi/buildPaths.ts`).
 */
export const entityCalls = defineEndpoints({
  'GET /{resource}/facets': {
    summary: 'Number of rows of the filtered list by value; a facet ignores the filter of its own name',
    tag: 'resource',
    params,
    dialect: ['filter'],
    response: dataOf(Type.Record(Type.String(), Type.Array(FacetValueSchema))),
    refuses: [400, 401, 403],
  },
  'GET /{resource}/groups': {
    summary:
      'The filtered list grouped by the values of one field, or the months of a date, with counts and sums; paged',
    tag: 'resource',
    params,
    query: { by: text({ required: true }), sums: text() },
    dialect: ['filter', 'page'],
    response: pageOf(ListGroupSchema),
    refuses: [400, 401, 403],
  },
  'POST /{resource}/tally': {
    summary: 'Current values of a reference among the selected rows, with the number of rows of each',
    tag: 'resource',
    params,
    payload: Type.Unsafe<{ by: string }>({ type: 'object', required: ['by'], properties: { by: { type: 'string' } } }),
    response: TallySchema,
    refuses: [400, 401, 403, 404, 422],
  },
  'POST /{resource}/import': {
    summary: 'Upload a file to import',
    tag: 'imports',
    params,
    query: { dry_run: text() },
    upload: true,
    status: 202,
    response: ImportSchema,
    refuses: [400, 401, 403, 409, 413, 415, 422, 429],
  },
  'GET /imports/{id}': {
    summary: 'An import with the state of its file',
    tag: 'imports',
    row: 'imports',
    response: ImportSchema,
    refuses: [401, 403, 404],
  },
});
export type EntityCalls = typeof entityCalls;
