/** Paths of imports, for every importable entity. */

import { entityCalls } from '../../schema/endpoints/entityCalls';
import { dateOrders, encodings, importModes } from '../../schema/shared/imports';
import type { ModelEntity } from '../context/services';
import { delimiter, queryParameter, refusals, response } from './operationParts';
import type { Schema } from './schemas';

/** Calls that upload a file; `/imports/{id}` shows its progress. */
export function importPaths({ name }: ModelEntity, pluralName: string): Record<string, Schema> {
  const upload = entityCalls['POST /{resource}/import'];
  const text: Schema = { type: 'string' };
  return {
    [`/${name}/import`]: {
      post: {
        operationId: `import_${name}`,
        summary:
          `Import ${pluralName} from an xlsx, xls or csv file; without \`dry_run\`, it is committed at once if no ` +
          `row has errors`,
        tags: [name],
        parameters: [
          queryParameter('dry_run', '1: only report what would happen to each row', { type: 'string', enum: ['1'] }),
        ],
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
                    description: 'JSON: column headings to fields; null skips a column; if absent, by the headings',
                  },
                  mode: { type: 'string', enum: [...importModes], default: 'upsert' },
                  rows: {
                    type: 'string',
                    enum: ['all', 'good'],
                    default: 'all',
                    description: 'good: skips rows with errors',
                  },
                  empty: {
                    type: 'string',
                    enum: ['keep', 'clear'],
                    default: 'keep',
                    description: 'What an empty cell does to the value of an existing row',
                  },
                  sheet: text,
                  header_row: { type: 'integer', minimum: 1 },
                  encoding: { type: 'string', enum: [...encodings] },
                  delimiter: text,
                  date_order: { type: 'string', enum: [...dateOrders] },
                  decimal: { type: 'string', enum: [',', '.'] },
                  create_missing: { ...text, description: 'JSON: references whose missing rows are created by name' },
                  fixed: {
                    ...text,
                    description: 'JSON: values for fields without a column, the same in every row; references by id',
                  },
                  words: {
                    ...text,
                    description:
                      'JSON: by field, what words in the file mean: a choice, true or false, the id of a reference',
                  },
                },
              },
            },
          },
        },
        responses: {
          202: response('The import', { ...upload.response }),
          ...refusals(...upload.refuses),
        },
      },
    },
    [`/${name}/import/template`]: {
      get: {
        operationId: `import_template_${name}`,
        summary: `Template file with the columns of ${pluralName}`,
        tags: [name],
        parameters: [
          queryParameter('format', 'File format', { type: 'string', enum: ['csv', 'xlsx'], default: 'xlsx' }),
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
