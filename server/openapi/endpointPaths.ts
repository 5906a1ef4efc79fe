/** Declared endpoints as OpenAPI operations. Request and response schemas follow from the declaration. */

import { endpoints } from '../../schema/endpoints';
import type { DialectParameter, Endpoint, FieldTable } from '../../schema/endpoints/endpoint';
import { jsonContent, queryParameter as parameter, refusals } from './operationParts';
import { reportSummaries } from './reportSummaries';
import { fieldSchema, type Schema } from './schemas';

const endpointsByKey: Readonly<Record<string, Endpoint>> = endpoints;

export const endpointTags = Object.values(endpointsByKey).map(({ tag }) => tag);

/** Operations by path and method. */
export function endpointPaths(): Record<string, Record<string, Schema>> {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [key, endpoint] of Object.entries(endpointsByKey)) {
    const [method = '', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(key, path, endpoint) };
  }
  return paths;
}

function operationOf(key: string, path: string, endpoint: Endpoint): Schema {
  const { tag, params = {}, query = {}, dialect = [], security, refuses } = endpoint;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: params[name] ? valueSchema(params[name]) : { type: 'integer', minimum: 1 },
    })),
    ...Object.entries(query).map(([name, field]) => ({
      name,
      in: 'query',
      ...(field.required && { required: true }),
      schema: { ...valueSchema(field), ...(field.default !== undefined && { default: field.default }) },
    })),
    ...dialect.flatMap((part) => dialectSchemas[part]),
  ];
  const content = requestContent(endpoint);
  const description = descriptionOf(endpoint);
  return {
    operationId: key
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/_$/, ''),
    summary: reportSummaries[key] ?? endpoint.summary,
    tags: [tag],
    ...(description && { description }),
    ...(endpoint.public && { security: security ? [{ [security]: [] }] : [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...responseOf(endpoint), ...refusals(...refuses, ...(isWrite(key, endpoint) ? [409] : [])) },
  };
}

/**
 * Whether the endpoint writes. Its transaction answers 409 if the caller's access has changed since the request
 * arrived.
 */
const isWrite = (key: string, endpoint: Endpoint): boolean =>
  !key.startsWith('GET ') && !endpoint.public && !endpoint.reads;

function descriptionOf({ permission = [], interactive }: Endpoint): string {
  const codes = [permission].flat().map((code) => `\`${code}\``);
  return [
    ...(codes.length > 0 ? [`Needs the permission ${codes.join(' and ')}.`] : []),
    ...(interactive ? ['Closed to API tokens and during impersonation.'] : []),
  ].join(' ');
}

function responseOf({ summary, status, response, media }: Endpoint): Schema {
  if (media) {
    const types = [media].flat();
    const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));
    return { [status ?? 200]: { description: summary, content } };
  }
  if (!response) return { [status ?? 204]: { description: 'Done' } };
  return { [status ?? 200]: { description: summary, content: jsonContent(response as Schema) } };
}

function requestContent({ body, payload, upload }: Endpoint): Schema | undefined {
  if (body) return jsonContent(bodySchema(body));
  if (payload) return jsonContent(payload as Schema);
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return upload && { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file } } } };
}

const bodySchema = (fields: FieldTable): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(fields).filter((name) => fields[name]?.required === true),
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
});

/** Schema of a parameter, which is sent or omitted, but never null. */
const valueSchema = (field: FieldTable[string]): Schema => fieldSchema({ ...field, required: true });

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const dialectSchemas: Record<DialectParameter, Schema[]> = {
  filter: [{ name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: texts }],
  sort: [parameter('sort', 'Fields, separated by commas, `-` for descending')],
  include: [parameter('include', 'Relations, separated by commas')],
  fields: [{ name: 'fields', in: 'query', style: 'deepObject', explode: true, schema: texts }],
  q: [parameter('q', 'Words to search for')],
  page: [
    parameter('per_page', 'Rows per page, 1 to 1000', { type: 'integer', minimum: 1, maximum: 1000, default: 10 }),
    parameter('page', 'Page number, from 1', { type: 'integer', minimum: 1, default: 1 }),
  ],
};
