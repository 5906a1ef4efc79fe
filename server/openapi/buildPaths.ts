/** Calls of every entity as OpenAPI paths. */
import { isCreatable, isReadOnly } from '../../schema/dsl/entity';
import { additiveFields, groupableFields } from '../../schema/dsl/grouping';
import { entityCalls, FacetValueSchema, ListGroupSchema, TallySchema } from '../../schema/endpoints/entityCalls';
import type { ModelEntity } from '../context/services';
import { framedMediaType } from '../files/frames';
import { nameOf } from '../i18n/messages';
import { importPaths } from './importPaths';
import { listParameterSchemas } from './listParameterSchemas';
import {
  dataEnvelope,
  delimiter,
  idParameter,
  jsonContent,
  permanentParameter,
  queryParameter,
  reference,
  refusals,
  response,
} from './operationParts';
import type { Schema } from './schemas';

const readOnlyKeys = ['get', 'parameters'];

/** Paths of an entity; only reads if users may not write it. */
export function buildPaths(entity: ModelEntity): Record<string, Schema> {
  const paths = allPathsOf(entity);
  if (!isReadOnly(entity)) return paths;
  return Object.fromEntries(
    Object.entries(paths)
      .map(([path, operations]): [string, Schema] => [
        path,
        Object.fromEntries(Object.entries(operations).filter(([method]) => readOnlyKeys.includes(method))),
      ])
      .filter(([, { get }]) => get !== undefined),
  );
}

function allPathsOf(entity: ModelEntity): Record<string, Schema> {
  const { name } = entity;
  const singular = nameOf('en', entity, 1).toLowerCase();
  const pluralName = nameOf('en', entity, 2).toLowerCase();
  const operation = (operationId: string, summary: string, details: Schema): Schema => ({
    operationId: `${operationId}_${name}`,
    summary,
    tags: [name],
    ...details,
  });
  const row = dataEnvelope(reference(name));
  const body = (schema: string): Schema => ({
    required: true,
    content: { ...jsonContent(reference(schema)), 'multipart/form-data': { schema: reference(schema) } },
  });
  const targets: Schema = {
    type: 'object',
    properties: { ids: { type: 'array', items: { type: 'integer' } }, filter: { type: 'object' } },
  };
  const countSchema: Schema = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } };
  const count: Schema = {
    description:
      'Number of rows. As `application/x-ndjson`, lines report the progress; the last one has the count and ' +
      'what undoes the change, or the error.',
    content: { ...jsonContent(countSchema), 'application/x-ndjson': { schema: { type: 'string' } } },
  };
  const links: Schema = { type: 'object', description: 'By `refs` field: ids, or `{filter}` of the rows to link' };
  const changes: Schema = {
    type: 'array',
    description: 'Instead of `data`: a change for each row, rejected if the row no longer has the given version',
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
    description: 'A repeated request gets the first response',
    schema: { type: 'string', maxLength: 255 },
  };
  return {
    [`/${name}`]: {
      get: operation('list', `List ${pluralName}`, {
        parameters: listParameterSchemas(entity),
        responses: {
          200: response('One page', {
            allOf: [
              reference('Page'),
              { type: 'object', required: ['data'], properties: { data: { type: 'array', items: reference(name) } } },
            ],
          }),
          ...refusals(400, 401, 403),
        },
      }),
      ...(isCreatable(entity) && {
        post: operation('create', `Create a ${singular}`, {
          parameters: [idempotency],
          requestBody: body(`${name}_create`),
          responses: { 201: response('The new row', row), ...refusals(400, 401, 403, 409, 413, 415, 422) },
        }),
      }),
      put: operation('update_many', `Change many ${pluralName} at once, all or nothing`, {
        requestBody: {
          required: true,
          content: jsonContent({
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
        `Send many ${pluralName} to the bin, all or nothing; with \`permanent=1\`, purge them from it`,
        {
          parameters: [permanentParameter],
          requestBody: { required: true, content: jsonContent(targets) },
          responses: { 200: count, ...refusals(400, 401, 403, 404, 409, 422) },
        },
      ),
    },
    [`/${name}/export`]: {
      get: operation('export', `Export the whole filtered list of ${pluralName}`, {
        parameters: [
          queryParameter('format', 'File format', { type: 'string', enum: ['csv', 'xlsx'], default: 'csv' }),
          delimiter,
          queryParameter('columns', 'Fields, in the order of the columns'),
          queryParameter('widths', 'Widths of columns of a workbook in pixels, as `name:220,city:140`'),
          queryParameter('raw', '1: field names and ids instead of labels and names', { type: 'string', enum: ['1'] }),
          ...listParametersNamed(entity, 'sort', 'filter'),
        ],
        responses: {
          200: {
            description:
              'The file, streamed; as frames that also report the number of rows so far, if the client accepts those',
            content: {
              'text/csv': { schema: { type: 'string' } },
              [framedMediaType]: { schema: { type: 'string', format: 'binary' } },
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
    [`/${name}/groups`]: { get: groupsOperation(entity, operation) },
    ...(isCreatable(entity) && importPaths(entity, pluralName)),
    [`/${name}/{id}`]: {
      parameters: [idParameter],
      get: operation('show', `One ${singular}`, {
        parameters: listParametersNamed(entity, 'include', 'fields'),
        responses: { 200: response('The row', row), ...refusals(400, 401, 403, 404) },
      }),
      put: operation('update', `Change a ${singular}; fields not sent stay unchanged`, {
        parameters: [ifMatch],
        requestBody: body(`${name}_edit`),
        responses: { 200: response('The row', row), ...refusals(400, 401, 403, 404, 412, 413, 415, 422) },
      }),
      patch: operation('patch', `Change a ${singular}; fields not sent stay unchanged`, {
        parameters: [ifMatch],
        requestBody: body(`${name}_edit`),
        responses: { 200: response('The row', row), ...refusals(400, 401, 403, 404, 412, 413, 415, 422) },
      }),
      delete: operation('delete', `Send a ${singular} to the bin; with \`permanent=1\`, purge it`, {
        parameters: [permanentParameter],
        responses: { 204: response('Done'), ...refusals(401, 403, 404, 409) },
      }),
    },
    [`/${name}/patch/{id}`]: {
      parameters: [idParameter],
      post: operation(
        'patch_form',
        `Change a ${singular} with a multipart form, which may contain images; fields not sent stay unchanged`,
        {
          parameters: [ifMatch],
          requestBody: { required: true, content: { 'multipart/form-data': { schema: reference(`${name}_edit`) } } },
          responses: { 200: response('The row', row), ...refusals(400, 401, 403, 404, 412, 413, 415, 422) },
        },
      ),
    },
    [`/${name}/tally`]: {
      post: operation('tally', `Count many ${pluralName} by what they refer to now`, {
        requestBody: {
          required: true,
          content: jsonContent({
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
          200: response('The fifty largest groups', { ...TallySchema }),
          ...refusals(...entityCalls['POST /{resource}/tally'].refuses),
        },
      }),
    },
    [`/${name}/restore`]: {
      post: operation('restore_many', `Take many ${pluralName} out of the bin, all or nothing`, {
        requestBody: { required: true, content: jsonContent(targets) },
        responses: { 200: count, ...refusals(400, 401, 403, 404, 409, 422) },
      }),
    },
    [`/${name}/{id}/restore`]: {
      parameters: [idParameter],
      post: operation('restore', `Take a ${singular} out of the bin`, {
        responses: { 200: response('The row', row), ...refusals(401, 403, 404, 409) },
      }),
    },
  };
}

const listParametersNamed = (entity: ModelEntity, ...names: readonly string[]): Schema[] =>
  listParameterSchemas(entity).filter(({ name }) => names.includes(String(name)));

function facetsOperation(
  entity: ModelEntity,
  operation: (id: string, summary: string, details: Schema) => Schema,
): Schema {
  const { summary, refuses } = entityCalls['GET /{resource}/facets'];
  const facets = Object.fromEntries(
    entity.list.facets.map((facet) => [facet, { type: 'array', items: FacetValueSchema }]),
  );
  return operation('facets', summary, {
    parameters: listParametersNamed(entity, 'filter'),
    responses: {
      200: response('Counts by facet', dataEnvelope({ type: 'object', properties: facets })),
      ...refusals(...refuses),
    },
  });
}

function groupsOperation(
  entity: ModelEntity,
  operation: (id: string, summary: string, details: Schema) => Schema,
): Schema {
  const { summary, refuses } = entityCalls['GET /{resource}/groups'];
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ') || 'nothing';
  return operation('groups', summary, {
    parameters: [
      { ...queryParameter('by', `One of ${list(groupableFields(entity))}`), required: true },
      queryParameter('sums', `Fields, separated by commas: ${list(additiveFields(entity))}`),
      ...listParametersNamed(entity, 'filter', 'page', 'per_page'),
    ],
    responses: {
      200: response('One page of groups', {
        allOf: [
          reference('Page'),
          { type: 'object', required: ['data'], properties: { data: { type: 'array', items: ListGroupSchema } } },
        ],
      }),
      ...refusals(...refuses),
    },
  });
}
