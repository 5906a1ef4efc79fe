/** Files about machines: taken in by what is in them, handed out as downloads that no browser runs. */
import { sql } from 'drizzle-orm';
import { registry } from '../../schema/index';
import { note } from '../api/audit';
import { readCaller } from '../api/auth';
import { type Caller, may } from '../api/caller';
import { rowAnswer } from '../api/entity/list';
import { Refusal } from '../api/errors';
import { base, idOf, json } from '../api/http';
import { documentKinds, extensionOf, handOut, isFileName, judgePaper, sentFile } from '../api/papers';
import { visible } from '../api/scope';
import type { Queries } from '../db/database';
import type { EntityServer } from './types';

export const documentsServer: EntityServer = {
  files: sql`select 'documents/' || id from documents`,

  async before({ values, current, fail }) {
    if (typeof values.name !== 'string' || !current) return;
    if (!isFileName(values.name) || extensionOf(values.name) !== extensionOf(String(current.name))) fail('name', { key: 'file_name' });
  },

  async routes(app) {
    const { services } = app;
    const { db, live } = services;

    app.post(`${base}/machines/:id/documents`, async (request, reply) => {
      const machine = idOf(request);
      const refuseUnallowed = async (queries: Queries, caller: Caller) => {
        may(caller, 'documents.create');
        await visible(queries, registry.machines, caller, machine);
      };
      await refuseUnallowed(db, request.caller);
      if (!request.isMultipart()) throw Refusal.wrongType();
      const { filename, bytes } = await sentFile(request, 'documents');
      const judged = await judgePaper({ filename, bytes, kinds: documentKinds });
      if ('problem' in judged) throw Refusal.invalidAt('file', { key: judged.problem }, 'documents');
      const { mediaType } = judged;
      const { id, data } = await db.transaction(async (tx) => {
        const caller = await readCaller(tx, request);
        await refuseUnallowed(tx, caller);
        const row = await tx.one<{ id: number }>(
          sql`insert into documents (name, machine_id, media_type, size)
            select ${filename}, id, ${mediaType}, ${bytes.length}::int from machines where id = ${machine} and deleted_at is null for key share returning id`,
        );
        // The machine went to the bin while its document came in.
        if (!row) throw Refusal.notFound();
        const made = row;
        await tx.rows(sql`insert into files (name, media_type, size, bytes) values (${fileOf(made.id)}, ${mediaType}, ${bytes.length}, ${bytes})`);
        const after = { name: filename, machine_id: machine, media_type: mediaType, size: bytes.length };
        await note(tx, { entity: registry.documents, by: caller, action: 'create' }, [{ id: made.id, after }]);
        return { ...made, ...(await rowAnswer(tx, registry.documents, caller, made)) };
      });
      await live.publish([{ entity: 'documents', id, type: 'created' }]);
      return json(reply.status(201), `{"data":${data}}`);
    });

    app.get(`${base}/documents/:id/file`, async (request, reply) => {
      const id = idOf(request);
      may(request.caller, 'documents.show');
      await visible(db, registry.documents, request.caller, id);
      const file = await db.one<{ name: string; media_type: string; bytes: Uint8Array }>(
        sql`select d.name, f.media_type, f.bytes from documents d join files f on f.name = ${fileOf(id)} where d.id = ${id}`,
      );
      if (!file) throw Refusal.notFound();
      return handOut(reply, file);
    });
  },
};

/** Ids are never used again, so neither is the name. */
const fileOf = (documentId: number) => `documents/${documentId}`;
