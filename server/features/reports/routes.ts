/**
 * `GET /reports/{report}` and `/reports/{report}/export`: the declared reports (schema/features/reports.ts) by the same
 * calls.
 */
import { reportFilters } from '../../../schema/features/reports';
import { reportNames } from '../../../schema/shared/reportNames';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { fileKindOf, sendSheet } from '../../files/stream';
import { apiPrefix, queryStringOf } from '../../http/http';
import { periodParameters, sheetParameters } from '../../http/queryParameters';
import { canReadReport, reportFor } from './report';
import { parseReportRequest } from './reportRequest';
import { sheetOf } from './sheet';

/** Forecasts have a date in place of a period. */
const reportParameters = [...periodParameters, ...reportFilters, 'by', 'month', 'date'] as const;

export const reportRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;

  for (const report of reportNames) {
    const path = `${apiPrefix}/reports/${report}`;
    const asked = (search: string, now: Date) =>
      parseReportRequest(report, new URLSearchParams(search), now.toISOString().slice(0, 10));

    app.get(path, { config: { parameters: reportParameters } }, async (request) => {
      const { caller } = request;
      if (!canReadReport(caller, report)) throw ApiError.unauthorized();
      const now = services.now();
      return { data: await reportFor(asked(queryStringOf(request), now), { db, model, caller, now }) };
    });

    app.get(
      `${path}/export`,
      { config: { parameters: [...reportParameters, ...sheetParameters] } },
      async (request, reply) => {
        const { caller } = request;
        if (!canReadReport(caller, report, true)) throw ApiError.unauthorized();
        const kind = fileKindOf(request, 'xlsx');
        const now = services.now();
        const { rows, ...sheet } = sheetOf(
          await reportFor(asked(queryStringOf(request), now), { db, model, caller, now }),
          caller.language,
        );
        return sendSheet(reply, {
          ...sheet,
          ...kind,
          pieces: piecesOf(rows),
          say: (row) => [...row] as (string | number | null)[],
        });
      },
    );
  }
};

async function* piecesOf(rows: readonly unknown[]): AsyncGenerator<{ piece: string; rows: number }[]> {
  yield [{ piece: rows.map((row) => JSON.stringify(row)).join(','), rows: rows.length }];
}
