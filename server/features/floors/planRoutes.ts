/** `GET`, `POST` and `DELETE /floors/{id}/plan`: the image of a floor. */
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { sendStoredFile, storedFileColumns, storedFileShape } from '../../files/storedFile';
import { readFormParts } from '../../http/readFormParts';
import { applyRobotMap } from './applyRobotMap';
import { planLimits } from './planLimits';
import { renderPlan } from './renderPlan';

/** Returns the name of the file with the plan of a floor. It is unique, because ids are never reused. */
const planFileName = (floorId: number) => `floors/${floorId}`;
/** SQL: names of the files that are plans of floors. */
export const planFilesSql = sql`select 'floors/' || id from floors where plan is not null`;

export const planRoutes: Routes = async (app) => {
  const { db, live, model } = app.services;
  const floors = model.require('floors');

  serve(app, 'GET /floors/{id}/plan', async ({ params: { id } }, _request, reply) => {
    const file = await db.selectOne(
      storedFileShape,
      sql`select ${storedFileColumns} from files f where f.name = ${planFileName(id)}`,
    );
    if (!file) throw ApiError.notFound();
    return sendStoredFile(reply, file);
  });

  serve(app, 'POST /floors/{id}/plan', async ({ params: { id }, transaction }, request) => {
    const { file, page } = await readUpload(request);
    const plan = await renderPlan(file, page);
    if ('problem' in plan) throw ApiError.invalidAt('file', plan.problem, 'floors');
    const { mediaType, bytes, width, height, robotMap, pages } = plan;
    const zones = await transaction(async (tx, caller) => {
      await tx.rows(
        sql`insert into files (name, media_type, size, bytes)
          values (${planFileName(id)}, ${mediaType}, ${bytes.length}, ${bytes})
          on conflict (name) do update set media_type = excluded.media_type, size = excluded.size,
            bytes = excluded.bytes, object_key = null, unused_since = null`,
      );
      await recordPlan(tx, caller, id, `${width} × ${height} px`);
      return robotMap ? applyRobotMap(tx, { model, caller, floorId: id, robotMap }) : [];
    });
    await live.publish([
      { entity: 'floors', id, type: 'updated' },
      ...zones.map((zone) => ({ entity: 'zones', id: zone, type: 'created' as const })),
    ]);
    const size = bytes.length;
    return { data: { media_type: mediaType, width, height, size, pages: pages ?? null, zones: zones.length } };
  });

  serve(app, 'DELETE /floors/{id}/plan', async ({ params: { id }, transaction }) => {
    await transaction(async (tx, caller) => {
      await tx.rows(sql`delete from files where name = ${planFileName(id)}`);
      await recordPlan(tx, caller, id, null);
    });
    await live.publish([{ entity: 'floors', id, type: 'updated' }]);
  });

  /** Records a new or deleted plan. Increments the version of the floor, which tells pages that the plan changed. */
  async function recordPlan(tx: Queries, caller: Caller, id: number, plan: string | null): Promise<void> {
    const before = await tx.selectOne(
      { plan: pg.text.nullable },
      sql`select plan from floors where id = ${id} and deleted_at is null for update`,
    );
    // The floor was deleted during the upload.
    if (!before) throw ApiError.notFound();
    await tx.rows(sql`update floors set plan = ${plan}, updated_at = now() where id = ${id}`);
    await writeAuditEntries(tx, { entity: floors, by: caller, action: 'edit' }, [{ id, before, after: { plan } }]);
  }
};

/** Reads the file and, for a PDF, the page from a form. */
async function readUpload(request: FastifyRequest): Promise<{ file: Buffer; page: number }> {
  if (!request.isMultipart()) throw ApiError.wrongType();
  let file: Buffer | undefined;
  let page = '1';
  for await (const part of readFormParts(request, 'floors', planLimits.bytes))
    if ('bytes' in part && part.name === 'file') file = part.bytes;
    else if ('text' in part && part.name === 'page') page = part.text;
  if (!file) throw ApiError.invalidAt('file', { key: 'file_required' }, 'floors');
  if (!/^[1-9]\d{0,4}$/.test(page)) throw ApiError.invalidAt('page', { key: 'integer' }, 'floors');
  return { file, page: Number(page) };
}
