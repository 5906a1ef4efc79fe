/**
 * Calls of the page that the code on a machine opens, for people without an account, if the client allows it. The page
 * shows the product and a form to report a problem.
 */
import { sql } from 'drizzle-orm';
import { countAttempt } from '../../auth/attemptLimit';
import { randomToken, sha256 } from '../../auth/secrets';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { readUploadedFile } from '../../files/attachments';
import { saveImage } from '../../files/images';
import { languageOf } from '../../http/languageOf';
import { openProblemAlert } from '../alerts/openProblemAlert';

/** Window of the hourly limits, in seconds. */
const seconds = 3600;
/** Maximum reports per hour from an address and about a machine; far more than one broken machine causes. */
const [maxReportsPerAddress, maxReportsPerMachine] = [5, 10];
/** Maximum attempts per hour to add photos from one address, and maximum photos per report. */
const [maxUploads, maxPhotos] = [50, 5];
/** Maximum machine pages opened from one address without a pause of `seconds` between two of them. */
const pageLimit = { maxAttempts: 60, seconds: 300 };
/** Maximum pixels of the longer side of a photo. */
const maxPhotoSide = 2000;

export const publicReportRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model, live } = services;

  const findProduct = async (id: number): Promise<string | null> => {
    const machine = await db.selectOne(
      { product: pg.text },
      sql`
      select coalesce(t.name, m.custom_type) as product from machines m left join types t on t.id = m.type_id
      join fleets f on f.id = m.fleet_id
      join clients c on c.id = f.client_id and c.deleted_at is null and c.public_reports
      where m.id = ${id} and m.deleted_at is null`,
    );
    return machine?.product ?? null;
  };

  // Returns null instead of 404, which the browser would log as an error whenever somebody scans a code and then logs
  // in.
  serve(app, 'GET /public/machines/{id}', async ({ params: { id } }, { address }) => {
    await countAttempt(db, { key: `page ${address}`, ...pageLimit });
    return { data: { product: await findProduct(id) } };
  });

  serve(app, 'POST /public/machines/{id}/problems', async ({ params: { id: machine }, body }, request) => {
    const { problem, report, is_out_of_use, email } = body;
    // Counted before the lookup, so that the limit does not reveal which machines exist.
    await countAttempt(db, { key: `report ${request.address}`, maxAttempts: maxReportsPerAddress, seconds });
    if ((await findProduct(machine)) === null) throw ApiError.notFound();
    await countAttempt(db, { key: `report of machine ${machine}`, maxAttempts: maxReportsPerMachine, seconds });
    const token = randomToken();
    const now = services.now();
    const id = await db.transaction(async (tx) => {
      const alert = await openProblemAlert(
        tx,
        { model, caller: undefined, now },
        { machine, problem, report, isOutOfUse: is_out_of_use === true },
      );
      await tx.rows(sql`
        insert into public_reports (alert_id, token_hash, email, language, created_at)
        values (${alert}, ${sha256(token)}, ${email ?? null}, ${languageOf(request)},
          ${now.toISOString()}::timestamptz)`);
      return alert;
    });
    await live.publish([{ entity: 'alerts', id, type: 'created' }]);
    return { data: { token } };
  });

  serve(app, 'POST /public/problems/{token}/photos', async ({ params: { token } }, request) => {
    await countAttempt(db, { key: `photo ${request.address}`, maxAttempts: maxUploads, seconds });
    if (!request.isMultipart()) throw ApiError.wrongType();
    const reportSql = sql`
      select alert_id from public_reports
      where token_hash = ${sha256(token)}
        and created_at > ${services.now().toISOString()}::timestamptz - interval '1 hour'`;
    if (!(await db.one(reportSql))) throw ApiError.notFound();
    const { bytes } = await readUploadedFile(request, 'alerts');
    const id = await db.transaction(async (tx) => {
      const report = await tx.selectOne({ alert_id: pg.integer }, sql`${reportSql} for update`);
      if (!report) throw ApiError.notFound();
      const { count = 0 } =
        (await tx.selectOne(
          { count: pg.integer },
          sql`select count(*)::int as count from alert_notes where alert_id = ${report.alert_id} and kind = 'photo'`,
        )) ?? {};
      if (count >= maxPhotos) throw ApiError.conflict('too_many_photos');
      const image = await saveImage(tx, bytes, maxPhotoSide);
      if ('problem' in image) throw ApiError.invalidAt('file', { key: image.problem }, 'alerts');
      await tx.rows(sql`
        insert into alert_notes (alert_id, name, kind, text) values (${report.alert_id}, '', 'photo', ${image.name})`);
      return report.alert_id;
    });
    await live.publish([{ entity: 'alerts', id, type: 'updated' }]);
  });
};
