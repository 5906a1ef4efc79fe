/** Calls about files: documents of machines, and the files of service entries. */
import { dataOf, defineEndpoints, rowOf } from './endpoint';

const fileUpload = { upload: true, status: 201, refuses: [401, 403, 404, 413, 422] } as const;
const fileDownload = { media: 'application/octet-stream', refuses: [401, 403, 404] } as const;

export const attachmentEndpoints = defineEndpoints({
  'POST /machines/{id}/documents': {
    summary: 'Add a document (docx, doc, pdf up to 15 MB)',
    tag: 'documents',
    permission: 'documents.create',
    row: 'machines',
    ...fileUpload,
    response: dataOf(rowOf('documents')),
  },
  'GET /documents/{id}/file': {
    summary: 'The file of a document',
    tag: 'documents',
    permission: 'documents.show',
    row: 'documents',
    ...fileDownload,
  },
  'POST /service_entries/{id}/file': {
    summary: 'Add or replace the file of a service entry (docx, doc, pdf, jpg, png up to 15 MB)',
    tag: 'service_entries',
    permission: 'service_entries.create',
    row: 'service_entries',
    ...fileUpload,
    response: dataOf(rowOf('service_entries')),
  },
  'GET /service_entries/{id}/file': {
    summary: 'The file of a service entry',
    tag: 'service_entries',
    permission: 'service_entries.show',
    row: 'service_entries',
    ...fileDownload,
  },
  'DELETE /service_entries/{id}/file': {
    summary: 'Remove the file of a service entry',
    tag: 'service_entries',
    permission: 'service_entries.edit',
    row: 'service_entries',
    refuses: [401, 403, 404],
  },
});
