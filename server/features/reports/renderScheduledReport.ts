/**
 * Renders what a schedule mails, with the owner's current access: a report of the past period, or the list of a view.
 */
import type { ScheduledName } from '../../../schema/entities/report_schedules';
import { reports } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';
import { ApiError } from '../../context/errors';
import { findSavedView } from '../../crud/read/savedViewFilter';
import type { Database } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { printXlsx } from '../../files/printXlsx';
import { nameOf } from '../../i18n/messages';
import { buildListFile, type ListFile, rowsOfList } from './buildListFile';
import { canReadReport, readWholeReport } from './readReport';
import { addCalendarDays, parseReportRequest, type ReportContext, type ReportRequest } from './reportRequest';
import { sheetOf } from './reportSheet';
import { formatDay, formatDays, formatReportNumber, reportName, totalsOf } from './reportTexts';

/** A turn of a schedule. */
export interface ScheduledTurn {
  report: ScheduledName;
  rhythm: 'monthly' | 'weekly';
  is_detailed: boolean;
  client_id: number;
  fleet_id: number | null;
  location_id: number | null;
  view_id: number | null;
  client: string;
  /** Local day of the turn. */
  day: string;
}

export interface ReportMail {
  report: string;
  place: string;
  period: string;
  /** Path of the page with the same contents. */
  path: string;
  figures: { label: string; value: string }[];
  file: { name: string; content: Buffer };
}

interface ScheduledReportContext extends ReportContext {
  db: Database;
  publicUrl: string;
}

/** Maximum rows of a mailed list. */
const maxRows = 50_000;

/** Renders the mail of a turn in the caller's language. Returns an outcome code if there is nothing to send. */
export function renderScheduledReport(
  turn: ScheduledTurn,
  context: ScheduledReportContext,
): Promise<ReportMail | 'no_rights' | 'too_large'> {
  const { report } = turn;
  return report === 'list' ? renderList(turn, context) : renderReport({ ...turn, report }, context);
}

type ReportTurn = ScheduledTurn & { report: ReportName };

async function renderReport(turn: ReportTurn, context: ScheduledReportContext): Promise<ReportMail | 'no_rights'> {
  const { report, client } = turn;
  const { language } = context.caller;
  if (!canReadReport(context.caller, report, true)) return 'no_rights';
  const request = requestOf(turn);
  const result = await readWholeReport(request, context).catch((error: unknown) => {
    // Client, fleet, location or view is no longer within the owner's scope.
    if (error instanceof ApiError && error.status === 422) return undefined;
    throw error;
  });
  if (!result) return 'no_rights';
  const { name, sheet, head, rows } = sheetOf(result, { language, publicUrl: context.publicUrl });
  return {
    report: reportName(report, language),
    place: [client, result.fleet?.name, result.location?.name, result.view?.name].filter(Boolean).join(', '),
    period: formatDays(result.from, result.to),
    path: `/reports/${report}?${reportPageSearch(request)}`,
    figures: totalsOf(result, language),
    file: {
      name: `${name}.xlsx`,
      content: await readBytes(printXlsx({ name: sheet, head, batches: yieldOnce(rows) })),
    },
  };
}

async function renderList(
  { view_id, client_id, client, day }: ScheduledTurn,
  { db, model, caller }: ScheduledReportContext,
): Promise<ReportMail | 'no_rights' | 'too_large'> {
  const { language } = caller;
  const view = view_id === null ? undefined : await findSavedView({ db, model }, caller, view_id);
  const list = view && buildListFile(model, view, { caller, client: client_id });
  if (!view || !list) return 'no_rights';
  const { entity, head, widths } = list;
  const rows = (await db.selectOne({ count: pg.integer }, list.count))?.count ?? 0;
  if (rows > maxRows) return 'too_large';
  return {
    report: view.name,
    place: client,
    period: formatDay(day),
    path: `/${entity.name}?${listPageSearch(list, view.id)}`,
    figures: [{ label: nameOf(language, entity, 2), value: formatReportNumber(rows, language) }],
    file: {
      name: `${view.name.replace(/[\\/:*?"<>|]/g, ' ')} ${day}.xlsx`,
      content: await readBytes(printXlsx({ name: view.name, head, widths, batches: rowsOfList(db, list) })),
    },
  };
}

/** Builds the request for a turn: the previous month or the previous seven days; for forecasts, the coming weeks. */
function requestOf({
  report,
  rhythm,
  is_detailed,
  client_id,
  fleet_id,
  location_id,
  view_id,
  day,
}: ReportTurn): ReportRequest {
  const { timeframe, levels } = reports[report];
  const search = new URLSearchParams({
    by: levels[levels.length - (is_detailed ? 1 : 2)] as string,
    client_id: String(client_id),
  });
  for (const [name, id] of Object.entries({ fleet_id, location_id, view_id }))
    if (id !== null) search.set(name, String(id));
  if (timeframe === 'period' && rhythm === 'weekly') {
    search.set('from', addCalendarDays(day, -7));
    search.set('to', addCalendarDays(day, -1));
  }
  return parseReportRequest(report, search, day);
}

/** Query string of the report's page with the same request. */
function reportPageSearch({ report, filter, from, to, by }: ReportRequest): URLSearchParams {
  const days: Record<string, string> = reports[report].timeframe === 'date' ? { date: to } : { from, to };
  return new URLSearchParams({
    ...Object.fromEntries(Object.entries(filter).map(([name, id]) => [name, String(id)])),
    ...days,
    by,
  });
}

/** Query string of the page with the same list, which names the view for readers who may open it. */
const listPageSearch = ({ query }: ListFile, view: number): URLSearchParams => {
  const filter = Object.fromEntries(
    query.filter.map(({ path, values }) => [path, values.length === 1 ? values[0] : values]),
  );
  const [sort] = query.sort;
  return new URLSearchParams({
    filter: JSON.stringify(filter),
    ...(sort && { sort: sort.path, order: sort.descending ? 'DESC' : 'ASC' }),
    saved: String(view),
  });
};

async function* yieldOnce<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}

async function readBytes(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const buffers: Buffer[] = [];
  for await (const piece of pieces) buffers.push(piece);
  return Buffer.concat(buffers);
}
