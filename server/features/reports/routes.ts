/**
 * `GET /reports/{report}` and `/reports/{report}/export`: the declared reports (schema/features/reports.ts) by the same
 * calls.
 */
import { reportNames } from '../../../schema/shared/reportNames';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { serve } from '../../endpoints/serve';
import { fileKindOf, sendSheet } from '../../files/stream';
import { queryStringOf } from '../../http/http';
import { canReadReport, reportFor } from './report';
import { parseReportRequest } from './reportRequest';
import { sheetOf } from './sheet';

export const reportRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;

  for (const report of reportNames) {
    const parse = (search: string, now: Date) =>
      parseReportRequest(report, new URLSearchParams(search), now.toISOString().slice(0, 10));

    serve(app, `GET /reports/${report}`, async (_input, request) => {
      const { caller } = request;
      if (!canReadReport(caller, report)) throw ApiError.unauthorized();
      const now = services.now();
      return { data: await reportFor(parse(queryStringOf(request), now), { db, model, caller, now }) };
    });

    serve(app, `GET /reports/${report}/export`, async (_input, request, reply) => {
      const { caller } = request;
      if (!canReadReport(caller, report, true)) throw ApiError.unauthorized();
      const kind = fileKindOf(request, 'xlsx');
      const now = services.now();
      const { rows, ...sheet } = sheetOf(
        await reportFor(parse(queryStringOf(request), now), { db, model, caller, now }),
        caller.language,
      );
      return sendSheet(reply, {
        ...sheet,
        ...kind,
        pieces: piecesOf(rows),
        say: (row) => [...row] as (string | number | null)[],
      });
    });
  }
};

async function* piecesOf(rows: readonly unknown[]): AsyncGenerator<{ piece: string; rows: number }[]> {
  yield [{ piece: rows.map((row) => JSON.stringify(row)).join(','), rows: rows.length }];
}
