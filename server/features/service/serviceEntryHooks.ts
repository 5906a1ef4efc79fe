/** Hooks of service entries: derived figures of their machine, and an attached file. */
import { sql } from 'drizzle-orm';
import { serviceKinds } from '../../../schema/entities/service_entries';
import { hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityHooks, Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import { sqlLiteral } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { attachmentKinds, readUploadedFile, sendAttachment, validateAttachment } from '../../files/attachments';
import { storedFileColumns, storedFileShape } from '../../files/storedFile';
import { choiceOf } from '../../i18n/messages';
import { operatingSql } from './refreshDue';
import { refreshService } from './refreshService';

const fileNameOf = (id: number) => `service_entries/${id}`;

const attachedFileShape = { file_name: pg.text.nullable, file_type: pg.text.nullable, file_size: pg.integer.nullable };
type AttachedFile = RowOf<typeof attachedFileShape>;

const routes: Routes = async (app) => {
  const { db, live, model } = app.services;
  const entity = model.require('service_entries');

  serve(app, 'POST /service_entries/{id}/file', async ({ params: { id }, transaction }, request) => {
    if (!request.isMultipart()) throw ApiError.wrongType();
    const { filename, bytes } = await readUploadedFile(request, entity.name);
    const attachment = await validateAttachment({ filename, bytes, kinds: attachmentKinds });
    if ('problem' in attachment) throw ApiError.invalidAt('file', { key: attachment.problem }, entity.name);
    const { mediaType } = attachment;
    const data = await transaction(async (tx, caller) => {
      // Callers without permission to edit may add a missing file, but not replace one. They may send the same file
      // again, in case the response was lost.
      const writableWhere = hasPermission(caller, 'service_entries.edit')
        ? sql`true`
        : sql`(file_name is null or file_name = ${filename} and exists (select from files f
            where f.name = ${fileNameOf(id)} and sha256(${bytes}::bytea) = coalesce(sha256(f.bytes), f.digest)))`;
      const storedFile = await tx.selectOne(
        attachedFileShape,
        sql`select file_name, file_type, file_size from service_entries where id = ${id} and deleted_at is null
          and ${writableWhere} for update`,
      );
      if (!storedFile) throw ApiError.forbidden();
      const file: AttachedFile = { file_name: filename, file_type: mediaType, file_size: bytes.length };
      await tx.rows(
        sql`update service_entries set file_name = ${filename}, file_type = ${mediaType}, file_size = ${bytes.length}
          where id = ${id}`,
      );
      await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, [
        { id, before: { ...storedFile }, after: { ...file } },
      ]);
      await tx.rows(sql`
        insert into files (name, media_type, size, bytes) values (${fileNameOf(id)}, ${mediaType}, ${bytes.length},
        ${bytes})
        on conflict (name) do update set media_type = excluded.media_type, size = excluded.size,
        bytes = excluded.bytes, object_key = null`);
      return (await readRow(tx, entity, caller, { id })).data;
    });
    await live.publish([{ entity: entity.name, id, type: 'updated' }]);
    return new JsonText(`{"data":${data}}`);
  });

  serve(app, 'GET /service_entries/{id}/file', async ({ params: { id } }, _request, reply) => {
    const file = await db.selectOne(
      { name: pg.text, ...storedFileShape },
      sql`select e.file_name as name, ${storedFileColumns} from service_entries e
        join files f on f.name = ${fileNameOf(id)} where e.id = ${id} and e.file_name is not null`,
    );
    if (!file) throw ApiError.notFound();
    return sendAttachment(reply, file);
  });

  serve(app, 'DELETE /service_entries/{id}/file', async ({ params: { id }, transaction }) => {
    await transaction(async (tx, caller) => {
      const storedFile = await tx.selectOne(
        attachedFileShape,
        sql`select file_name, file_type, file_size from service_entries where id = ${id} for update`,
      );
      await tx.rows(
        sql`update service_entries set file_name = null, file_type = null, file_size = null where id = ${id}`,
      );
      const noFile: AttachedFile = { file_name: null, file_type: null, file_size: null };
      await writeAuditEntries(tx, { entity, by: caller, action: 'edit' }, [
        { id, before: { ...storedFile }, after: { ...noFile } },
      ]);
      await tx.rows(sql`delete from files where name = ${fileNameOf(id)}`);
    });
    await live.publish([{ entity: entity.name, id, type: 'updated' }]);
    return undefined;
  });
};

export const serviceEntryHooks: EntityHooks = {
  files: sql`select 'service_entries/' || id from service_entries where file_name is not null`,
  derived: {
    summary: ({ entity, row, caller }) => {
      const words = serviceKinds.map(
        (value) =>
          `when ${sqlLiteral(value)} then ${sqlLiteral(choiceOf(caller.language, entity, { field: 'kind', value }))}`,
      );
      return sql`(to_char(${row}.date, 'DD.MM.YYYY') || ' · ' || case ${row}.kind ${sql.raw(words.join(' '))} end)`;
    },
  },

  async before({ tx, services, values, current, fail }) {
    if (current && values.machine_id !== undefined) fail('machine_id', { key: 'prohibited' });
    // Allows today's date of any time zone.
    const latestDay = new Date(services.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
    if (typeof values.date === 'string' && values.date > latestDay) fail('date', { text: 'in_future' });
    if (!current && typeof values.date === 'string' && typeof values.machine_id === 'number')
      values.operating_time ??= await readOperatingTime(tx, values.machine_id, values.date);
  },

  async after({ tx, services, values, current }) {
    await refreshService(tx, [(current ?? values).machine_id as number], services.now());
  },

  async afterTrash({ tx, services, rows }) {
    await refreshService(
      tx,
      rows.map(({ machine_id }) => machine_id as number),
      services.now(),
    );
  },

  async afterCommit({ services, id }) {
    const entry = await services.db.selectOne(
      { machine_id: pg.integer },
      sql`select machine_id from service_entries where id = ${id}`,
    );
    if (entry) await publishMachineFigures(services, sql`m.id = ${entry.machine_id}`);
  },

  routes,
};

/** Publishes the service figures of the machines that satisfy `where`. */
export async function publishMachineFigures(
  { db, live }: Parameters<NonNullable<EntityHooks['afterCommit']>>[0]['services'],
  where: ReturnType<typeof sql>,
) {
  const rows = await db.select(
    {
      id: pg.integer,
      last_service: pg.text.nullable,
      total_maintenance_cost: pg.text.nullable,
      next_service_due: pg.text.nullable,
      version: pg.integer,
    },
    sql`select m.id, m.last_service::text, m.total_maintenance_cost::text, m.next_service_due::text, m.version
      from machines m where ${where} and m.deleted_at is null limit 1000`,
  );
  await live.publish(rows.map(({ id, ...payload }) => ({ entity: 'machines', id, type: 'updated', payload })));
}

/** Operating seconds of a machine at the end of a day: the total minus those of later days. */
async function readOperatingTime(tx: Queries, machineId: number, day: string): Promise<number | null> {
  const operatingTime = await tx.selectOne(
    { seconds: pg.integer },
    sql`
    select greatest(0, ${operatingSql} - coalesce((select sum(cleaning + online) from machine_days
    where machine_id = m.id and day > ${day}::date), 0))::int as seconds
    from machines m join machines_state s on s.id = m.id where m.id = ${machineId}`,
  );
  return operatingTime?.seconds ?? null;
}
