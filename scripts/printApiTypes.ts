/**
 * `npm run api:types --silent > api.ts`: prints the TypeScript types of the API for clients that use `openapi-fetch`.
 */
import openapiTypes, { type OpenAPI3 } from 'openapi-typescript';
import { entities } from '../schema/index';
import { createEntityModel } from '../server/access/entityModel';
import { entityHooks } from '../server/app/entityHooks';
import { buildOpenapi } from '../server/openapi/buildOpenapi';

const document = buildOpenapi(createEntityModel(entities, entityHooks).entities, '');
process.stdout.write(await openapiTypes(document as unknown as OpenAPI3));
