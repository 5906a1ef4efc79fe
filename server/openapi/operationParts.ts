/** Building blocks of OpenAPI operations. */
import { fileDelimiters } from '../../schema/shared/files';
import type { Schema } from './schemas';

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const jsonContent = (schema: Schema): Schema => ({ 'application/json': { schema } });

export const response = (description: string, schema?: Schema): Schema => ({
  description,
  ...(schema && { content: jsonContent(schema) }),
});

export const dataEnvelope = (schema: Schema): Schema => ({
  type: 'object',
  required: ['data'],
  properties: { data: schema },
});

/** Error responses by status, from the contract's table. */
export const refusals = (...statuses: number[]): Schema =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

export const queryParameter = (name: string, description: string, schema: Schema = { type: 'string' }): Schema => ({
  name,
  in: 'query',
  description,
  schema,
});

export const idParameter: Schema = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

export const delimiter = queryParameter(
  'delimiter',
  'Separates the cells of a CSV file; with `;` numbers have a decimal comma',
  {
    type: 'string',
    enum: [...fileDelimiters],
    default: ',',
  },
);

export const permanentParameter = queryParameter(
  'permanent',
  '1: purges a row that is in the bin. Admins only; 409 while another row, even one in the bin, refers to it',
  {
    type: 'string',
    enum: ['1'],
  },
);
