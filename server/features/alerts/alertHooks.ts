/** Hooks of alerts: derived fields, and the actions of users. */
import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Registry } from '../../../schema';
import type { Row } from '../../../schema/dsl/entity';
import type { AlertNote } from '../../../schema/endpoints/alerts';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { EntityHooks, Routes } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import { idempotencyClaimOf, respondOnce } from '../../crud/write/idempotency';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { readUploadedFile } from '../../files/attachments';
import { saveImage } from '../../files/images';
import { texts } from '../../i18n/messages';
import { summarySql } from './summaryText';
import { acknowledgeAlert, closeAlert, readPersonName, writeAlertNote } from './updateAlert';

const noteShape = {
  id: pg.integer,
  kind: pg.text.as<AlertNote['kind']>(),
  name: pg.text,
  text: pg.text.nullable,
  at: pg.timestamptz,
};

/** Maximum pixels of the longer side of a photo, and maximum photos of an alert. */
const maxPhotoSide = 2000;
const maxPhotos = 10;

const routes: Routes = async (app) => {
  const { services } = app;
  const { db, live, model } = services;
  const entity = model.require('alerts');

  const publishAndReadAlert = async (
    caller: Caller,
    id: number,
  ): Promise<JsonText<{ data: Row<Registry['alerts']> }>> => {
    await live.publish([{ entity: entity.name, id, type: 'updated' }]);
    return new JsonText(`{"data":${(await readRow(db, entity, caller, { id })).data}}`);
  };

  serve(
    app,
    'POST /alerts/{id}/acknowledge',
    async ({ params: { id }, body: { comment: text = null }, transaction }, { caller: reader }) => {
      const at = services.now();
      await transaction((tx, caller) => acknowledgeAlert(tx, { entity, caller, id, text, at }));
      return publishAndReadAlert(reader, id);
    },
  );

  serve(app, 'POST /alerts/{id}/comments', async ({ params: { id }, body, transaction }, request) => {
    const claim = idempotencyClaimOf(request, body);
    const { body: text } = await transaction((tx, caller) =>
      respondOnce(tx, caller.userId, claim, async () => {
        const name = await readPersonName(tx, caller);
        await writeAlertNote(tx, { id, caller, name, kind: 'comment', text: body.comment });
        return { status: 201, body: `{"data":${(await readRow(tx, entity, caller, { id })).data}}` };
      }),
    );
    await live.publish([{ entity: entity.name, id, type: 'updated' }]);
    return new JsonText(text);
  });

  serve(app, 'POST /alerts/{id}/photos', async ({ params: { id }, transaction }, request) => {
    if (!request.isMultipart()) throw ApiError.wrongType();
    const { bytes } = await readUploadedFile(request, entity.name);
    const claim = idempotencyClaimOf(request, createHash('sha256').update(bytes).digest('hex'));
    const response = await transaction((tx, caller) =>
      respondOnce(tx, caller.userId, claim, async () => {
        await requireMayAddPhoto(tx, caller, id);
        const image = await saveImage(tx, bytes, maxPhotoSide);
        if ('problem' in image) throw ApiError.invalidAt('file', { key: image.problem }, entity.name);
        await writeAlertNote(tx, {
          id,
          caller,
          name: await readPersonName(tx, caller),
          kind: 'photo',
          text: image.name,
        });
        return { status: 201, body: `{"data":${(await readRow(tx, entity, caller, { id })).data}}` };
      }),
    );
    await live.publish([{ entity: entity.name, id, type: 'updated' }]);
    return new JsonText(response.body);
  });

  serve(
    app,
    'POST /alerts/{id}/close',
    async ({ params: { id }, body: { comment: text = null }, transaction }, { caller: reader }) => {
      const at = services.now();
      await transaction((tx, caller) => closeAlert(tx, { entity, caller, id, text, at }));
      return publishAndReadAlert(reader, id);
    },
  );

  serve(app, 'GET /alerts/{id}/notes', async ({ params: { id } }) => ({
    data: await db.select(
      noteShape,
      sql`select id, kind, name, text, at from alert_notes where alert_id = ${id} order by id`,
    ),
  }));
};

/**
 * Throws 403 unless the caller reported the problem or may acknowledge alerts, 409 if the alert has too many photos.
 */
async function requireMayAddPhoto(tx: Queries, caller: Caller, id: number): Promise<void> {
  const photos = await tx.selectOne(
    { is_own: pg.boolean, count: pg.integer },
    sql`
    select coalesce(bool_or(kind = 'reported' and user_id = ${caller.userId}), false) as is_own,
      (count(*) filter (where kind = 'photo'))::int as count
    from alert_notes where alert_id = ${id}`,
  );
  if (!photos?.is_own && !hasPermission(caller, 'alerts.acknowledge')) throw ApiError.forbidden();
  if (photos && photos.count >= maxPhotos) throw ApiError.conflict('too_many_photos');
}

export const alertHooks: EntityHooks = {
  files: sql`select text from alert_notes where kind = 'photo'`,
  derived: {
    summary: ({ entity, row, caller }) => summarySql(entity.model, row, caller),
    problem: ({ row }) => sql`(case when ${row}.metric = 'reported' then ${row}.code end)`,
    report: ({ row }) => reportedSql(row, 'text'),
    reported_by: ({ row, caller }) =>
      sql`coalesce(nullif(${reportedSql(row, 'name')}, ''), (select concat_ws(' · ',
        ${texts[caller.language].alerts.public_page}::text, email) from public_reports where alert_id = ${row}.id))`,
  },
  routes,
};

/** SQL: a column of the note with which the problem was reported; its author is the reporter. */
const reportedSql = (row: SQL, column: 'name' | 'text') =>
  sql`(select first_note.${sql.raw(column)} from alert_notes first_note where first_note.alert_id = ${row}.id
    and first_note.kind = 'reported')`;
