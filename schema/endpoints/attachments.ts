/** Calls about files: documents of machines, and the files of service entries. */
import { dataOf, defineEndpoints, rowOf } from './endpoint';

export const attachmentEndpoints = defineEndpoints({
  'POST /machines/{id}/documents': {
    summary: 'Add a document (docx, doc, pdf up to 15 MB)',
    tag: 'documents',
    permission: 'documents.create',
    row: 'machines',
    upload: true,
    status: 201,
    response: dataOf(rowOf('documents')),
    refuses: [401, 403, 404, 413, 422],
  },
  'GET /documents/{id}/file': {
    summary: 'The file of a document',
    tag: 'documents',
    permission: 'documents.show',
    row: 'documents',
    media: 'application/octet-stream',
    refuses: [401, 403, 404],
  },
  'POST /service_entries/{id}/file': {
    summary: 'Add or replace the file of a service entry (docx, doc, pdf, jpg, png up to 15 MB)',
    tag: 'service_entries',
    permission: 'service_entries.create',
    row: 'service_entries',
    upload: true,
    status: 201,
    response: dataOf(rowOf('service_entries')),
    refuses: [401, 403, 404, 413, 422],
  },
  'GET /service_entries/{id}/file': {
    summary: 'The file of a service entry',
    tag: 'service_entries',
    permission: 'service_entries.show',
    row: 'service_entries',
    media: 'application/octet-stream',
    refuses: [401, 403, 404],
  },
  'DELETE /service_entries/{id}/file': {
    summary: 'Remove the file of a service entry',
    tag: 'service_entries',
    permission: 'service_entries.edit',
    row: 'service_entries',
    refuses: [401, 403, 404],
  },
});
