/** `GET /reports/{report}` and `/reports/{report}/export` for every declared report (schema/features/reports.ts). */
import { maxPerPage, parseListQuery } from '../../../schema/dsl/listQuery';
import { reportNames } from '../../../schema/shared/reportNames';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { printPagination } from '../../crud/read/readList';
import { JsonText, serve } from '../../endpoints/serve';
import type { Cell } from '../../files/csv';
import { abortOnDisconnect, fileKindOf, jsonPiece, sendSheet } from '../../files/sendSheet';
import { apiPrefix, queryStringOf } from '../../http/http';
import { canReadReport, readReport, streamReport } from './readReport';
import { parseReportRequest } from './reportRequest';
import { sheetHead, sheetRows } from './reportSheet';

export const reportRoutes: Routes = async (app) => {
  for (const report of reportNames) {
    const parse = (search: string, now: Date) =>
      parseReportRequest(report, new URLSearchParams(search), now.toISOString().slice(0, 10));

    serve(app, `GET /reports/${report}`, async ({ services: { db, env, model, now: clock } }, request) => {
      const { caller } = request;
      if (!canReadReport(caller, report)) throw ApiError.forbidden();
      const now = clock();
      const search = queryStringOf(request);
      const query = parseListQuery(`per_page=${maxPerPage}&${search}`);
      const range = { from: (query.page - 1) * query.per_page, count: query.per_page };
      const { result, lineCount } = await readReport({ ...parse(search, now), range }, { db, model, caller, now });
      const path = `${env.publicUrl}${apiPrefix}/reports/${report}`;
      return new JsonText(`{"data":${JSON.stringify(result)},${printPagination(query, lineCount, { search, path })}}`);
    });

    serve(
      app,
      `GET /reports/${report}/export`,
      async ({ services: { db, env, model, now: clock } }, request, reply) => {
        const { caller } = request;
        if (!canReadReport(caller, report, true)) throw ApiError.forbidden();
        const kind = fileKindOf(request, 'xlsx');
        const now = clock();
        const context = { db, model, caller, now };
        const { head, batches } = await streamReport(
          parse(queryStringOf(request), now),
          context,
          abortOnDisconnect(reply),
        );
        return sendSheet(reply, {
          ...sheetHead(head, caller.language),
          ...kind,
          pieces: piecesOf(sheetRows(head, { language: caller.language, publicUrl: env.publicUrl }, batches)),
          printRow: (row) => [...row] as Cell[],
        });
      },
    );
  }
};

async function* piecesOf(batches: AsyncIterable<Cell[][]>): AsyncGenerator<ReturnType<typeof jsonPiece>[]> {
  for await (const rows of batches) yield [jsonPiece(rows)];
}
