/** The calls that every entity has, as OpenAPI paths. */
import { type Entity, isCreatable, isReadOnly } from '../../schema/dsl/entity';
import { fileDelimiters } from '../../schema/shared/files';
import { dateOrders, encodings, importModes } from '../../schema/shared/imports';
import { relationsOf } from '../access/entityModel';
import { framed } from '../files/frames';
import { nameOf } from '../i18n/messages';
import type { Schema } from './schemas';

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Schema): Schema => ({ 'application/json': { schema } });
const answer = (description: string, schema?: Schema): Schema => ({
  description,
  ...(schema && { content: json(schema) }),
});
const data = (schema: Schema): Schema => ({ type: 'object', required: ['data'], properties: { data: schema } });

/** Refusals by status, from the contract's table. */
export const refusals = (...statuses: number[]): Schema =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

const query = (name: string, description: string, schema: Schema = { type: 'string' }): Schema => ({
  name,
  in: 'query',
  description,
  schema,
});
const idParameter: Schema = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

const delimiter = query('delimiter', 'Between the cells of a csv file; with `;` numbers have a decimal comma', {
  type: 'string',
  enum: [...fileDelimiters],
  default: ',',
});
const permanent = query(
  'permanent',
  '1: removes a row of the bin for good. Admins only; 409 while another row, even one in the bin, points at it',
  {
    type: 'string',
    enum: ['1'],
  },
);

/** Parameters of the list dialect for one entity. */
export function listParameterSchemas(entity: Entity): Schema[] {
  const includes = [...relationsOf(entity).values()].flatMap(({ name, one }) =>
    one ? [name] : [name, `${name}Count`],
  );
  const fields = Object.keys(entity.fields).filter(
    (name) => !['many', 'password', 'records'].includes(entity.fields[name]?.kind ?? ''),
  );
  const filters = [...fields, ...Object.keys(entity.buckets)];
  return [
    query('per_page', 'Rows per page, 1 to 1000', { type: 'integer', minimum: 1, maximum: 1000, default: 10 }),
    query('page', 'From 1 on', { type: 'integer', minimum: 1, default: 1 }),
    query('sort', 'Fields or to-one paths, comma between, `-` for descending'),
    query('include', `Comma list of ${includes.map((name) => `\`${name}\``).join(', ') || 'nothing'}`),
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description: `By any of ${filters.map((name) => `\`${name}\``).join(', ')}, by relation path such as \`fleet.name\`, by \`search\` and \`trashed\` (only, with). A name may end in \`.not\` (the rows left out otherwise), of texts in \`.is\` and \`.begins\`; days may be counted from today, as \`>=-7d\``,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
    {
      name: 'fields',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description: 'Sparse fields by resource',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
  ];
}

const reading = ['get', 'parameters'];

/** The paths of an entity; of one that only the server writes, those that read. */
export function pathsOf(entity: Entity): Record<string, Schema> {
  const paths = allPathsOf(entity);
  if (!isReadOnly(entity)) return paths;
  return Object.fromEntries(
    Object.entries(paths)
      .map(([path, operations]): [string, Schema] => [
        path,
        Object.fromEntries(Object.entries(operations).filter(([method]) => reading.includes(method))),
      ])
      .filter(([, { get }]) => get !== undefined),
  );
}

function allPathsOf(entity: Entity): Record<string, Schema> {
  const { name } = entity;
  const one = nameOf('en', entity, 1).toLowerCase();
  const many = nameOf('en', entity, 2).toLowerCase();
  const operation = (operationId: string, summary: string, rest: Schema): Schema => ({
    operationId: `${operationId}_${name}`,
    summary,
    tags: [name],
    ...rest,
  });
  const row = data(reference(name));
  const body = (schema: string): Schema => ({
    required: true,
    content: { ...json(reference(schema)), 'multipart/form-data': { schema: reference(schema) } },
  });
  const targets: Schema = {
    type: 'object',
    properties: { ids: { type: 'array', items: { type: 'integer' } }, filter: { type: 'object' } },
  };
  const counted: Schema = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } };
  const count: Schema = {
    description:
      'How many rows. As `application/x-ndjson` a line tells from time to time how far it is; the last one has the count and what takes it back, or the refusal.',
    content: { ...json(counted), 'application/x-ndjson': { schema: { type: 'string' } } },
  };
  const links: Schema = { type: 'object', description: 'By field of links: ids, or `{filter}` of the rows linked to' };
  const changes: Schema = {
    type: 'array',
    description: 'Instead: to every row its own change, refused if a version is named that it no longer has',
    items: {
      type: 'object',
      required: ['id', 'data'],
      properties: { id: { type: 'integer' }, version: { type: 'integer' }, data: reference(`${name}_edit`) },
    },
  };
  const ifMatch: Schema = {
    name: 'If-Match',
    in: 'header',
    description: 'Version the change is based on',
    schema: { type: 'string' },
  };
  const idempotency: Schema = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat gets the first answer',
    schema: { type: 'string', maxLength: 255 },
  };
  return {
    [`/${name}`]: {
      get: operation('list', `List ${many}`, {
        parameters: listParameterSchemas(entity),
        responses: {
          200: answer('One page', {
            allOf: [
              reference('Page'),
              { type: 'object', properties: { data: { type: 'array', items: reference(name) } } },
            ],
          }),
          ...refusals(400, 401, 403),
        },
      }),
      ...(isCreatable(entity) && {
        post: operation('create', `Create a ${one}`, {
          parameters: [idempotency],
          requestBody: body(`${name}_create`),
          responses: { 201: answer('The new row', row), ...refusals(400, 401, 403, 409, 413, 415, 422) },
        }),
      }),
      put: operation('update_many', `Change many ${many} at once, all or nothing`, {
        requestBody: {
          required: true,
          content: json({
            allOf: [
              targets,
              { type: 'object', properties: { data: reference(`${name}_edit`), add: links, remove: links, changes } },
            ],
          }),
        },
        responses: { 200: count, ...refusals(400, 401, 403, 404, 409, 422) },
      }),
      delete: operation(
        'delete_many',
        `Send many ${many} to the bin, all or nothing; with \`permanent=1\` out of it for good`,
        {
          parameters: [permanent],
          requestBody: { required: true, content: json(targets) },
          responses: { 200: count, ...refusals(400, 401, 403, 404, 409, 422) },
        },
      ),
    },
    [`/${name}/export`]: {
      get: operation('export', `Export the whole filtered list of ${many}`, {
        parameters: [
          query('format', 'File format', { type: 'string', enum: ['csv', 'xlsx'], default: 'csv' }),
          delimiter,
          query('columns', 'Fields in the order wanted'),
          query('widths', 'Widths of columns of a workbook in pixels, as `name:220,city:140`'),
          query('raw', '1: field names and ids instead of labels and names', { type: 'string', enum: ['1'] }),
          ...listParameterSchemas(entity).slice(2, 3),
          ...listParameterSchemas(entity).slice(4, 5),
        ],
        responses: {
          200: {
            description:
              'The file, streamed; as frames with the number of rows so far between its parts to who accepts them',
            content: {
              'text/csv': { schema: { type: 'string' } },
              [framed]: { schema: { type: 'string', format: 'binary' } },
              'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
                schema: { type: 'string', format: 'binary' },
              },
            },
          },
          ...refusals(400, 401, 403, 422),
        },
      }),
    },
    ...(entity.list.facets.length > 0 && { [`/${name}/facets`]: { get: facetsOperation(entity, operation) } }),
    ...(isCreatable(entity) && importPaths(entity, many)),
    [`/${name}/{id}`]: {
      parameters: [idParameter],
      get: operation('show', `One ${one}`, {
        parameters: listParameterSchemas(entity).filter(
          ({ name: parameter }) => parameter === 'include' || parameter === 'fields',
        ),
        responses: { 200: answer('The row', row), ...refusals(400, 401, 403, 404) },
      }),
      put: operation('update', `Change a ${one}; fields not sent stay`, {
        parameters: [ifMatch],
        requestBody: body(`${name}_edit`),
        responses: { 200: answer('The row', row), ...refusals(400, 401, 403, 404, 412, 413, 415, 422) },
      }),
      patch: operation('patch', `Change a ${one}; fields not sent stay`, {
        parameters: [ifMatch],
        requestBody: body(`${name}_edit`),
        responses: { 200: answer('The row', row), ...refusals(400, 401, 403, 404, 412, 413, 415, 422) },
      }),
      delete: operation('delete', `Send a ${one} to the bin; with \`permanent=1\` out of it for good`, {
        parameters: [permanent],
        responses: { 204: answer('Done'), ...refusals(401, 403, 404, 409) },
      }),
    },
    [`/${name}/patch/{id}`]: {
      parameters: [idParameter],
      post: operation(
        'patch_form',
        `Change a ${one} by a multipart form, which may hold pictures; fields not sent stay`,
        {
          parameters: [ifMatch],
          requestBody: { required: true, content: { 'multipart/form-data': { schema: reference(`${name}_edit`) } } },
          responses: { 200: answer('The row', row), ...refusals(400, 401, 403, 404, 412, 413, 415, 422) },
        },
      ),
    },
    [`/${name}/tally`]: {
      post: operation('tally', `To what many ${many} belong now, and how many to each`, {
        requestBody: {
          required: true,
          content: json({
            allOf: [
              targets,
              {
                type: 'object',
                required: ['by'],
                properties: { by: { type: 'string', description: 'A field that refers to another entity' } },
              },
            ],
          }),
        },
        responses: {
          200: answer('The fifty largest groups', { type: 'object' }),
          ...refusals(400, 401, 403, 404, 422),
        },
      }),
    },
    [`/${name}/restore`]: {
      post: operation('restore_many', `Take many ${many} out of the bin, all or nothing`, {
        requestBody: { required: true, content: json(targets) },
        responses: { 200: count, ...refusals(400, 401, 403, 404, 409, 422) },
      }),
    },
    [`/${name}/{id}/restore`]: {
      parameters: [idParameter],
      post: operation('restore', `Take a ${one} out of the bin`, {
        responses: { 200: answer('The row', row), ...refusals(401, 403, 404, 409) },
      }),
    },
  };
}

function facetsOperation(entity: Entity, operation: (id: string, summary: string, rest: Schema) => Schema): Schema {
  const value: Schema = {
    type: 'object',
    required: ['value', 'label', 'count'],
    properties: {
      value: { type: ['string', 'integer', 'boolean', 'null'], description: 'As the filter of that name takes it' },
      label: { type: ['string', 'null'], description: "In the reader's language" },
      count: { type: 'integer' },
    },
  };
  const facets = Object.fromEntries(entity.list.facets.map((facet) => [facet, { type: 'array', items: value }]));
  return operation(
    'facets',
    'How many rows of the filtered list have each value; a facet ignores the filter of its own name',
    {
      parameters: listParameterSchemas(entity).filter(({ name: parameter }) => parameter === 'filter'),
      responses: {
        200: answer('Counts by facet', data({ type: 'object', properties: facets })),
        ...refusals(400, 401, 403),
      },
    },
  );
}

/** Files of rows; what becomes of one is followed at `/imports/{id}`. */
function importPaths({ name }: Entity, many: string): Record<string, Schema> {
  const text: Schema = { type: 'string' };
  return {
    [`/${name}/import`]: {
      post: {
        operationId: `import_${name}`,
        summary: `Import ${many} from an xlsx, xls or csv file; without \`dry_run\` it commits by itself if no row is wrong`,
        tags: [name],
        parameters: [query('dry_run', '1: only say what would become of each row', { type: 'string', enum: ['1'] })],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: {
                  file: { type: 'string', contentMediaType: 'application/octet-stream' },
                  mapping: {
                    ...text,
                    description:
                      'JSON: column heads to fields, null leaves a column out; found out from the heads if not given',
                  },
                  mode: { type: 'string', enum: [...importModes], default: 'upsert' },
                  rows: {
                    type: 'string',
                    enum: ['all', 'good'],
                    default: 'all',
                    description: 'good: rows that are wrong are left out',
                  },
                  empty: {
                    type: 'string',
                    enum: ['keep', 'clear'],
                    default: 'keep',
                    description: 'What an empty cell says of a row that exists',
                  },
                  sheet: text,
                  header_row: { type: 'integer', minimum: 1 },
                  encoding: { type: 'string', enum: [...encodings] },
                  delimiter: text,
                  date_order: { type: 'string', enum: [...dateOrders] },
                  decimal: { type: 'string', enum: [',', '.'] },
                  create_missing: { ...text, description: 'JSON: references whose missing names are added' },
                  fixed: {
                    ...text,
                    description: 'JSON: what every row holds in fields that no column fills, references by id',
                  },
                  words: {
                    ...text,
                    description:
                      'JSON: by field, what words of the file mean: a choice, true or false, the id of a reference',
                  },
                },
              },
            },
          },
        },
        responses: { 202: answer('The import', { type: 'object' }), ...refusals(400, 401, 403, 413, 415, 422, 429) },
      },
    },
    [`/${name}/import/template`]: {
      get: {
        operationId: `import_template_${name}`,
        summary: `An empty file with the columns of ${many}`,
        tags: [name],
        parameters: [
          query('format', 'File format', { type: 'string', enum: ['csv', 'xlsx'], default: 'xlsx' }),
          delimiter,
        ],
        responses: {
          200: { description: 'The file', content: { 'text/csv': { schema: text } } },
          ...refusals(401, 403, 422),
        },
      },
    },
  };
}
