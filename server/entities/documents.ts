/** Files about machines: taken in by what is in them, handed out as downloads that no browser runs. */
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { fileTypeFromBuffer } from 'file-type';
import { limits, type ProblemKey } from '../../schema/dsl/checks';
import { registry } from '../../schema/index';
import { may } from '../api/caller';
import { rowAnswer } from '../api/entity/list';
import { Refusal } from '../api/errors';
import { partsOf } from '../api/form';
import { base, idOf, json } from '../api/http';
import { visible } from '../api/scope';
import type { EntityServer } from './types';

const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
} as const;

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
      const { caller } = request;
      const machine = idOf(request);
      may(caller, 'documents.create');
      await visible(db, registry.machines, caller, machine);
      if (!request.isMultipart()) throw Refusal.wrongType();
      const { filename, bytes } = await sentFile(request);
      const judged = await judge(filename, bytes);
      if ('problem' in judged) throw Refusal.invalidAt('file', { key: judged.problem }, 'documents');
      const { mediaType } = judged;
      const { id, data } = await db.transaction(async (tx) => {
        const row = await tx.one<{ id: number }>(
          sql`insert into documents (name, machine_id, media_type, size)
            select ${filename}, id, ${mediaType}, ${bytes.length}::int from machines where id = ${machine} and deleted_at is null for key share returning id`,
        );
        // The machine went to the bin while its document came in.
        if (!row) throw Refusal.notFound();
        const made = row;
        await tx.rows(sql`insert into files (name, media_type, size, bytes) values (${fileOf(made.id)}, ${mediaType}, ${bytes.length}, ${bytes})`);
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
      return reply
        .type(file.media_type)
        .headers({
          'Content-Disposition': attachment(file.name),
          'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
        })
        .send(Buffer.from(file.bytes));
    });
  },
};

/** The one file of the form, at its field `file`. */
async function sentFile(request: FastifyRequest): Promise<{ filename: string; bytes: Buffer }> {
  for await (const part of partsOf(request, 'documents')) if ('bytes' in part && part.name === 'file') return part;
  throw Refusal.invalidAt('file', { key: 'file_required' }, 'documents');
}

/** Ids are never used again, so neither is the name. */
const fileOf = (documentId: number) => `documents/${documentId}`;

type Judged = { mediaType: string } | { problem: ProblemKey };

async function judge(name: string, bytes: Buffer): Promise<Judged> {
  if (bytes.length > limits.document) return { problem: 'document_size' };
  if (!isFileName(name)) return { problem: 'file_name' };
  const kind = await kindOf(bytes);
  if (kind === undefined || kind !== extensionOf(name)) return { problem: 'document_type' };
  return { mediaType: mediaTypes[kind] };
}

/** What a file is by its content. An old Word file is a compound file with a stream of this name, in UTF-16. */
async function kindOf(bytes: Buffer): Promise<keyof typeof mediaTypes | undefined> {
  const found = await fileTypeFromBuffer(bytes);
  if (found?.ext === 'pdf' || found?.ext === 'docx') return found.ext;
  return found?.ext === 'cfb' && bytes.includes(Buffer.from('WordDocument', 'utf16le')) ? 'doc' : undefined;
}

const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** A name that every file system takes: some letters before the ending, no path, no control or reserved characters. */
const isFileName = (name: string) => name.length <= 200 && !/[\p{Cc}\p{Cs}<>:"/\\|?*]/u.test(name) && /^[^.\s].*\.[A-Za-z]{3,4}$/.test(name);

/** RFC 6266: plain letters for old programs, the exact name for the others. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
