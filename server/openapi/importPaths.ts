/** OpenAPI paths for imports. */
import { entityCalls } from '../../schema/endpoints/entityCalls';
import { dateOrders, encodings, importModes } from '../../schema/shared/imports';
import type { ModelEntity } from '../context/services';
import { delimiter, queryParameter, refusals, response } from './operationParts';
import type { Schema } from './schemas';

/** Upload of a file, whose progress `/imports/{id}` shows, and download of its template. */
export function importPaths({ name }: ModelEntity, pluralName: string): Record<string, Schema> {
  const upload = entityCalls['POST /{resource}/import'];
  const text: Schema = { type: 'string' };
  return {
    [`/${name}/import`]: {
      post: {
        operationId: `import_${name}`,
        summary:
          `Import ${pluralName} from an xlsx, xls or csv file; without \`dry_run\`, it is committed at once unless ` +
          `a row has errors; with \`rows\` = \`good\`, only those rows are skipped`,
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
                    description: 'JSON: the field for each column heading; null skips it. By default, by the headings',
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
                    description: 'JSON: for each field, what words of the file mean: a choice, a boolean or an id',
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
          200: {
            description: 'The file',
            content: {
              'text/csv': { schema: text },
              'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
                schema: { type: 'string', format: 'binary' },
              },
            },
          },
          ...refusals(401, 403, 422),
        },
      },
    },
  };
}
