/** Calls that follow and control an import. */
import type { Call } from './call';
import { importSchema } from './importPaths';
import type { Schema } from './schemas';

const text: Schema = { type: 'string' };

export const importCalls: Readonly<Record<string, Call>> = {
  'GET /imports/{id}/rows': {
    summary: 'Rows of an imported file: what becomes of each, and what is wrong in which cell',
    tag: 'imports',
    query: ['per_page', 'page', 'filter'],
    refuses: [400, 401, 403, 404],
  },
  'PUT /imports/{id}/rows/{row}': {
    summary: 'Put cells of a row right before the commit',
    tag: 'imports',
    body: { cells: { type: 'object', additionalProperties: text } },
    refuses: [401, 403, 404, 409, 422],
  },
  'PATCH /imports/{id}/rows/{row}': {
    summary: 'Put cells of a row right before the commit',
    tag: 'imports',
    body: { cells: { type: 'object', additionalProperties: text } },
    refuses: [401, 403, 404, 409, 422],
  },
  'GET /imports/{id}/rejected': {
    summary: 'The rows that are wrong, with a column that says why',
    tag: 'imports',
    query: ['format', 'delimiter'],
    answers: 'text/csv',
    refuses: [401, 403, 404, 422],
  },
  'POST /imports/{id}/check': {
    summary: 'Read the file once more with other settings',
    tag: 'imports',
    body: { mapping: { type: 'object' }, mode: text, rows: text, empty: text },
    optional: ['mapping', 'mode', 'rows', 'empty'],
    status: 202,
    response: importSchema,
    refuses: [401, 403, 404, 409, 422],
  },
  'POST /imports/{id}/commit': {
    summary: 'Write the rows',
    tag: 'imports',
    status: 202,
    response: importSchema,
    refuses: [401, 403, 404, 409],
  },
  'POST /imports/{id}/undo': {
    summary: 'Take the import back; 409 with the rows that somebody has changed since',
    tag: 'imports',
    status: 202,
    response: importSchema,
    refuses: [401, 403, 404, 409],
  },
  'POST /imports/{id}/cancel': {
    summary: 'Give the import up; nothing of it stays',
    tag: 'imports',
    status: 202,
    response: importSchema,
    refuses: [401, 403, 404, 409],
  },
};
