/** `GET /reports/{report}` and `/reports/{report}/export`: the declared reports (schema/reports.ts), each by the same calls. */
import { reportFilters, reportNames } from '../../schema/reports';
import { Refusal } from '../api/errors';
import { kindAsked, sendSheet } from '../api/exchange/stream';
import { base, searchOf } from '../api/http';
import { periodParameters, sheetParameters } from '../api/queryParameters';
import type { Routes } from '../services';
import { askedOf } from './asked';
import { mayRead, reportFor } from './report';
import { sheetOf } from './sheet';

/** A report ahead has a date where one about the past has a period. */
const reportParameters = [...periodParameters, ...reportFilters, 'by', 'month', 'date'] as const;

export const reportRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;

  for (const report of reportNames) {
    const path = `${base}/reports/${report}`;
    const asked = (search: string, now: Date) => askedOf(report, new URLSearchParams(search), now.toISOString().slice(0, 10));

    app.get(path, { config: { parameters: reportParameters } }, async (request) => {
      const { caller } = request;
      if (!mayRead(caller, report)) throw Refusal.unauthorized();
      const now = services.now();
      return { data: await reportFor(asked(searchOf(request), now), { db, caller, now }) };
    });

    app.get(`${path}/export`, { config: { parameters: [...reportParameters, ...sheetParameters] } }, async (request, reply) => {
      const { caller } = request;
      if (!mayRead(caller, report, true)) throw Refusal.unauthorized();
      const kind = kindAsked(request, 'xlsx');
      const now = services.now();
      const { rows, ...sheet } = sheetOf(await reportFor(asked(searchOf(request), now), { db, caller, now }), caller.language);
      return sendSheet(reply, { ...sheet, ...kind, pieces: piecesOf(rows), say: (row) => [...row] as (string | number | null)[] });
    });
  }
};

async function* piecesOf(rows: readonly unknown[]): AsyncGenerator<{ piece: string; rows: number }[]> {
  yield [{ piece: rows.map((row) => JSON.stringify(row)).join(','), rows: rows.length }];
}
