/** The OpenAPI 3.1 document, generated from the declarations. */
import { isReadOnly } from '../../schema/dsl/entity';
import type { ModelEntity } from '../context/services';
import { jsonServerPrefix } from '../http/http';
import { buildPaths } from './buildPaths';
import { endpointPaths, endpointTags } from './endpointPaths';
import { rowSchema, type Schema, writeSchema } from './schemas';

const message: Schema = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
const refusalTexts: Record<number, string> = {
  400: 'Malformed JSON; unknown filter, sort, include or field',
  401: 'Not logged in',
  403: 'No role of the caller has the permission',
  404: 'Not found, or out of scope',
  409: 'Conflicting state',
  412: 'Stale If-Match; `current` holds the current row',
  413: 'Too large',
  415: 'Wrong content type',
  422: 'Invalid values, by field',
  429: 'Too many attempts',
};

/** Describes what the paths omit: the same rows in the dialect of json-server. */
const dialectDescription =
  `Every resource with a list is served at \`${jsonServerPrefix}/{resource}\` too, ` +
  `in the dialect of json-server: \`GET\`,
\`POST\`, \`GET|PUT|PATCH|DELETE /{id}\` with plain bodies, ` +
  `\`_start _end _page _limit _sort _order _embed _expand q\`, filters by
\`field=\`, \`_ne\`, \`_like\`, \`_gte\` and \`_lte\`, and the number of rows in \`X-Total-Count\`. ` +
  `Permissions, rules, limits and errors
are those described here.`;

/** Builds the document for the entities of a server. `server` is its public URL. */
export function buildOpenapi(entities: readonly ModelEntity[], server: string): Schema {
  const paths: Record<string, Schema> = {};
  for (const entity of entities) Object.assign(paths, buildPaths(entity));
  for (const [path, operations] of Object.entries(endpointPaths())) paths[path] = { ...paths[path], ...operations };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sweepline',
      version: '1',
      summary: 'Fleets of autonomous cleaning machines',
      description: dialectDescription,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${server}/api/v1` }],
    security: [{ session: [] }],
    tags: [...new Set([...entities.map(({ name }) => name), ...endpointTags])].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of POST /login, or one of POST /account/tokens',
        },
        device: { type: 'http', scheme: 'bearer', description: 'The secret of POST /trackers/{id}/secret' },
      },
      schemas: {
        Page: pageSchema,
        Refusal: message,
        ...Object.fromEntries(
          entities.flatMap((entity) => [
            [entity.name, rowSchema(entity)],
            ...(isReadOnly(entity)
              ? []
              : [
                  [`${entity.name}_create`, writeSchema(entity, 'create')],
                  [`${entity.name}_edit`, writeSchema(entity, 'edit')],
                ]),
          ]),
        ),
      },
      responses: Object.fromEntries(
        Object.entries(refusalTexts).map(([status, description]) => [
          status,
          {
            description,
            content: {
              'application/json': { schema: status === '422' ? invalid : status === '412' ? staleSchema : message },
            },
          },
        ]),
      ),
    },
  };
}

const invalid: Schema = {
  ...message,
  required: ['message', 'errors'],
  properties: {
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
};
const staleSchema: Schema = { ...message, properties: { message: { type: 'string' }, current: { type: 'object' } } };
const link: Schema = { type: ['string', 'null'] };
const integer: Schema = { type: 'integer' };

const pageSchema: Schema = {
  type: 'object',
  required: ['data', 'links', 'meta', 'current_page', 'last_page', 'per_page', 'total'],
  properties: {
    data: { type: 'array' },
    links: { type: 'object', properties: { first: link, last: link, prev: link, next: link } },
    meta: {
      type: 'object',
      properties: {
        current_page: integer,
        from: { type: ['integer', 'null'] },
        last_page: integer,
        path: { type: 'string' },
        per_page: integer,
        to: { type: ['integer', 'null'] },
        total: integer,
      },
    },
    current_page: integer,
    last_page: integer,
    per_page: integer,
    total: integer,
  },
};
