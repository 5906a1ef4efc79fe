/** Calls to follow and control an import. Uploads are calls of each importable entity. */
import Type, { type Static } from 'typebox';
import type { Registry } from '..';
import type { Row } from '../dsl/entity';
import { type ImportFacts, type ImportSettings, rowActions } from '../shared/imports';
import { countSchema, dataOf, defineEndpoints, each, idSchema, nullable, oneOf, pageOf, rowOf } from './endpoint';
import { sheetFields } from './machines';

const word = Type.String();
const words = Type.Array(word);
const problem = { column: nullable(word), field: nullable(word), message: word };

/** Properties of an import in addition to its row: how the file was read, and the problems found in it. */
const ImportDetailsSchema = Type.Object({
  counts: Type.Object(each(rowActions, countSchema), { description: 'Number of rows by action' }),
  errors: Type.Array(Type.Object({ row: countSchema, ...problem })),
  problem: nullable(Type.String({ description: 'Why the file as a whole is rejected' })),
  settings: Type.Unsafe<ImportSettings>({ type: 'object', additionalProperties: true }),
  facts: Type.Unsafe<ImportFacts | null>({ type: ['object', 'null'], additionalProperties: true }),
  columns: Type.Array(
    Type.Object({
      index: countSchema,
      head: word,
      key: word,
      target: nullable(word),
      left_out: Type.Optional(oneOf(['read_only', 'unknown', 'chosen', 'twice'])),
      samples: words,
    }),
  ),
  targets: Type.Array(Type.Object({ name: word, field: word, by_name: Type.Boolean(), label: word })),
  missing: Type.Unsafe<Record<string, string[]>>({
    type: 'object',
    additionalProperties: words,
    description: 'Names that were not found, by field',
  }),
  creatable: Type.Array(word, { description: 'Fields whose missing names can be created' }),
});
export const ImportSchema = dataOf(
  Type.Unsafe<Row<Registry['imports']> & Static<typeof ImportDetailsSchema>>({
    allOf: [rowOf('imports'), ImportDetailsSchema],
  }),
);

const cells = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: word });
const ImportRowSchema = Type.Object({
  row: Type.Integer({ minimum: 1 }),
  action: oneOf(rowActions),
  id: nullable(idSchema),
  cells,
  edited: Type.Array(Type.Integer({ description: 'Index of a column whose cell was corrected' })),
  errors: Type.Array(Type.Object(problem)),
});
export type ImportRowResult = Static<typeof ImportRowSchema>;

const correction = {
  summary: 'Correct cells of a row before the commit',
  tag: 'imports',
  payload: Type.Object({ cells }),
  response: dataOf(ImportRowSchema),
  refuses: [401, 403, 404, 409, 422],
} as const;
const step = { tag: 'imports', status: 202, response: ImportSchema, refuses: [401, 403, 404, 409] } as const;

export const importEndpoints = defineEndpoints({
  'GET /imports/{id}/rows': {
    summary: 'Rows of an imported file, with the action and the problems of each',
    tag: 'imports',
    dialect: ['filter', 'page'],
    response: pageOf(ImportRowSchema),
    refuses: [400, 401, 403, 404, 422],
  },
  'PUT /imports/{id}/rows/{row}': correction,
  'PATCH /imports/{id}/rows/{row}': correction,
  'GET /imports/{id}/rejected': {
    summary: 'The invalid rows as a file, with a column of reasons',
    tag: 'imports',
    query: sheetFields,
    media: 'text/csv',
    refuses: [401, 403, 404, 422],
  },
  'POST /imports/{id}/check': {
    ...step,
    summary: 'Validate the file again with other settings',
    payload: Type.Unsafe<Partial<ImportSettings>>({
      type: 'object',
      properties: { mapping: { type: 'object' }, mode: word, rows: word, empty: word },
    }),
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /imports/{id}/commit': { ...step, summary: 'Commit the import: write its rows' },
  'POST /imports/{id}/undo': {
    ...step,
    summary: 'Undo the import; 409 with the rows that were changed since',
  },
  'POST /imports/{id}/cancel': { ...step, summary: 'Cancel the import; undoes what it has written' },
});
