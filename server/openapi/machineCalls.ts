/** Calls of one machine: what it did, where it was, its documents and its service. */
import { problemKinds } from '../../schema/entities/alerts';
import type { Call } from './call';
import type { Schema } from './schemas';

const text: Schema = { type: 'string' };

export const machineCalls: Readonly<Record<string, Call>> = {
  'GET /machines/{id}/logs': {
    summary: 'Events of a machine',
    tag: 'machines',
    query: ['per_page', 'page', 'sort', 'filter'],
    refuses: [400, 401, 403, 404],
  },
  'GET /machines/{id}/logs/export': {
    summary: 'Events of a machine as a file',
    tag: 'machines',
    query: ['format', 'delimiter', 'filter'],
    answers: 'text/csv',
    refuses: [400, 401, 403, 404],
  },
  'GET /machines/{id}/timeline': {
    summary: 'What a machine did, as segments',
    tag: 'machines',
    query: ['from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/track': {
    summary: 'Where a machine was',
    tag: 'machines',
    query: ['from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/statistics': {
    summary: 'Times per day, week or month in seconds',
    tag: 'machines',
    query: ['group', 'from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/battery': {
    summary: 'Battery per day, week or month in percent: lowest, average, highest',
    tag: 'machines',
    query: ['group', 'from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'GET /machines/{id}/stays': {
    summary:
      'Where the machine stood, the latest first; `from` is null since it was entered, `to` while it stands ' +
      'there, `location` out of reach',
    tag: 'machines',
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/book_value': {
    summary: 'Book value on a day',
    tag: 'machines',
    query: ['on'],
    refuses: [401, 403, 404, 422],
  },
  'POST /machines/{id}/problems': {
    summary:
      'Report a problem: opens an alert without a rule and tells those responsible for the machine; 20 an hour at most',
    tag: 'machines',
    body: { problem: { type: 'string', enum: [...problemKinds] }, report: text, is_out_of_use: { type: 'boolean' } },
    optional: ['is_out_of_use'],
    status: 201,
    refuses: [401, 403, 404, 409, 422, 429],
  },
  'GET /machines/{id}/qr.svg': {
    summary: "QR code of the machine's own page",
    tag: 'machines',
    answers: 'image/svg+xml',
    refuses: [401, 403, 404],
  },
  'GET /machines/map': {
    summary: 'Clusters and points of a bounding box',
    tag: 'machines',
    query: ['bbox', 'zoom', 'filter'],
    refuses: [400, 401, 403, 422],
  },
  'POST /machines/{id}/documents': {
    summary: 'Add a document (docx, doc, pdf up to 15 MB)',
    tag: 'documents',
    file: true,
    status: 201,
    refuses: [401, 403, 404, 413, 422],
  },
  'GET /documents/{id}/file': {
    summary: 'The file of a document',
    tag: 'documents',
    answers: 'application/octet-stream',
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/service': {
    summary: 'When the next service is due, and why',
    tag: 'machines',
    refuses: [401, 403, 404],
  },
  'GET /machines/{id}/costs': {
    summary: 'Service and depreciation of a period, per cleaning hour and per square metre',
    tag: 'machines',
    query: ['from', 'to'],
    refuses: [401, 403, 404, 422],
  },
  'POST /service_entries/{id}/file': {
    summary: 'Add or replace the file of a service entry (docx, doc, pdf, jpg, png up to 15 MB)',
    tag: 'service_entries',
    file: true,
    status: 201,
    refuses: [401, 403, 404, 413, 422],
  },
  'GET /service_entries/{id}/file': {
    summary: 'The file of a service entry',
    tag: 'service_entries',
    answers: 'application/octet-stream',
    refuses: [401, 403, 404],
  },
  'DELETE /service_entries/{id}/file': {
    summary: 'Remove the file of a service entry',
    tag: 'service_entries',
    status: 204,
    refuses: [401, 403, 404],
  },
};
