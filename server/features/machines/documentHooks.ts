/** Documents of machines: accepted by their content, and served as downloads that no browser executes. */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { EntityHooks } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import {
  documentKinds,
  extensionOf,
  isFileName,
  readUploadedFile,
  sendAttachment,
  validateAttachment,
} from '../../files/attachments';
import { storedFileColumns, storedFileShape } from '../../files/storedFile';

export const documentHooks: EntityHooks = {
  files: sql`select 'documents/' || id from documents`,

  async before({ values, current, fail }) {
    if (typeof values.name !== 'string' || !current) return;
    if (!isFileName(values.name) || extensionOf(values.name) !== extensionOf(String(current.name)))
      fail('name', { key: 'file_name' });
  },

  async routes(app) {
    const { services } = app;
    const { db, live, model } = services;
    const documents = model.require('documents');

    serve(app, 'POST /machines/{id}/documents', async ({ params: { id: machine }, transaction }, request) => {
      if (!request.isMultipart()) throw ApiError.wrongType();
      const { filename, bytes } = await readUploadedFile(request, 'documents');
      const attachment = await validateAttachment({ filename, bytes, kinds: documentKinds });
      if ('problem' in attachment) throw ApiError.invalidAt('file', { key: attachment.problem }, 'documents');
      const { mediaType } = attachment;
      const { id, data } = await transaction(async (tx, caller) => {
        const document = await tx.selectOne(
          { id: pg.integer },
          sql`insert into documents (name, machine_id, media_type, size)
            select ${filename}, id, ${mediaType}, ${bytes.length}::int from machines where id = ${machine}
            and deleted_at is null for key share returning id`,
        );
        // No row: the machine was deleted during the upload.
        if (!document) throw ApiError.notFound();
        await tx.rows(
          sql`insert into files (name, media_type, size, bytes)
            values (${fileNameOf(document.id)}, ${mediaType}, ${bytes.length}, ${bytes})`,
        );
        const values = { name: filename, machine_id: machine, media_type: mediaType, size: bytes.length };
        await writeAuditEntries(tx, { entity: documents, by: caller, action: 'create' }, [
          { id: document.id, after: values },
        ]);
        return { ...document, ...(await readRow(tx, documents, caller, document)) };
      });
      await live.publish([{ entity: 'documents', id, type: 'created' }]);
      return new JsonText(`{"data":${data}}`);
    });

    serve(app, 'GET /documents/{id}/file', async ({ params: { id } }, _request, reply) => {
      const file = await db.selectOne(
        { name: pg.text, ...storedFileShape },
        sql`select d.name, ${storedFileColumns} from documents d join files f on f.name = ${fileNameOf(id)}
          where d.id = ${id}`,
      );
      if (!file) throw ApiError.notFound();
      return sendAttachment(reply, file);
    });
  },
};

/** Name of a document in the table `files`; unique, because ids are never reused. */
const fileNameOf = (documentId: number) => `documents/${documentId}`;
