/** Calls to follow and control an import. Uploads are calls of each importable entity. */
import Type, { type Static } from 'typebox';
import type { Registry } from '..';
import type { Row } from '../dsl/entity';
import { type ImportFacts, type ImportSettings, rowActions } from '../shared/imports';
import { countSchema, dataOf, defineEndpoints, each, idSchema, nullable, oneOf, pageOf, rowOf } from './endpoint';
import { sheetFields, sheetMedia } from './sheet';

const wordSchema = Type.String();
const wordsSchema = Type.Array(wordSchema);
const problem = { column: nullable(wordSchema), field: nullable(wordSchema), message: wordSchema };

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
      head: wordSchema,
      key: wordSchema,
      target: nullable(wordSchema),
      left_out: Type.Optional(oneOf(['read_only', 'unknown', 'chosen', 'twice'])),
      samples: wordsSchema,
    }),
  ),
  targets: Type.Array(Type.Object({ name: wordSchema, field: wordSchema, by_name: Type.Boolean(), label: wordSchema })),
  missing: Type.Unsafe<Record<string, string[]>>({
    type: 'object',
    additionalProperties: wordsSchema,
    description: 'Names that were not found, by field',
  }),
  creatable: Type.Array(wordSchema, { description: 'Fields whose missing names can be created' }),
});
export const ImportSchema = dataOf(
  Type.Unsafe<Row<Registry['imports']> & Static<typeof ImportDetailsSchema>>({
    allOf: [rowOf('imports'), ImportDetailsSchema],
  }),
);

const cells = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: wordSchema });
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
const importStep = { tag: 'imports', status: 202, response: ImportSchema, refuses: [401, 403, 404, 409] } as const;

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
    media: sheetMedia,
    refuses: [401, 403, 404, 422],
  },
  'POST /imports/{id}/check': {
    ...importStep,
    summary: 'Validate the file again with other settings',
    payload: Type.Unsafe<Partial<ImportSettings>>({
      type: 'object',
      properties: { mapping: { type: 'object' }, mode: wordSchema, rows: wordSchema, empty: wordSchema },
    }),
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /imports/{id}/commit': { ...importStep, summary: 'Commit the import: write its rows' },
  'POST /imports/{id}/undo': {
    ...importStep,
    summary: 'Undo the import; 409 with the rows that were changed since',
  },
  'POST /imports/{id}/cancel': { ...importStep, summary: 'Cancel the import; undoes what it has written' },
});
