/**
 * What a schedule sends: a report of the period that is over, or the list of a view, as its owner may have it at that
 * moment.
 */
import type { ScheduledName } from '../../../schema/entities/report_schedules';
import { reports } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';
import { ApiError } from '../../context/errors';
import { savedViewFor } from '../../crud/read/savedViewFilter';
import type { Database } from '../../db/core/database';
import { xlsxOf } from '../../files/xlsx';
import { nameOf } from '../../i18n/messages';
import { type ListFile, listFile, rowsOfList } from './list';
import { canReadReport, reportFor } from './report';
import { addCalendarDays, parseReportRequest, type ReportContext, type ReportRequest } from './reportRequest';
import { sheetOf } from './sheet';
import { dayInWords, daysInWords, numberInWords, reportName, totalsOf } from './words';

/** What a turn of a schedule is about. */
export interface Scheduled {
  report: ScheduledName;
  rhythm: 'monthly' | 'weekly';
  is_detailed: boolean;
  client_id: number;
  fleet_id: number | null;
  location_id: number | null;
  view_id: number | null;
  client: string;
  /** The local day of the turn. */
  day: string;
}

export interface Mailed {
  report: string;
  place: string;
  period: string;
  /** The page that shows the same. */
  path: string;
  figures: { label: string; value: string }[];
  file: { name: string; content: Buffer };
}

interface ScheduledReportContext extends ReportContext {
  db: Database;
}

/** Rows of a list that fit into a mail. */
const mostRows = 50_000;

/** In the caller's language; what stands in the way where there is nothing to send. */
export function renderScheduledReport(
  turn: Scheduled,
  reading: ScheduledReportContext,
): Promise<Mailed | 'no_rights' | 'too_large'> {
  const { report } = turn;
  return report === 'list' ? mailedList(turn, reading) : mailedReport({ ...turn, report }, reading);
}

type Turn = Scheduled & { report: ReportName };

async function mailedReport(turn: Turn, reading: ScheduledReportContext): Promise<Mailed | 'no_rights'> {
  const { report, client } = turn;
  const { language } = reading.caller;
  if (!canReadReport(reading.caller, report, true)) return 'no_rights';
  const asked = askedFor(turn);
  const answer = await reportFor(asked, reading).catch((error: unknown) => {
    // The client, fleet, location or view is beyond the owner's reach by now.
    if (error instanceof ApiError && error.status === 422) return undefined;
    throw error;
  });
  if (!answer) return 'no_rights';
  const { name, sheet, head, rows } = sheetOf(answer, language);
  return {
    report: reportName(report, language),
    place: [client, answer.fleet?.name, answer.location?.name, answer.view?.name].filter(Boolean).join(', '),
    period: daysInWords(answer.from, answer.to),
    path: `/reports/${report}?${pageSearch(asked)}`,
    figures: totalsOf(answer, language),
    file: { name: `${name}.xlsx`, content: await bytesOf(xlsxOf({ name: sheet, head, batches: once(rows) })) },
  };
}

async function mailedList(
  { view_id, client_id, client, day }: Scheduled,
  { db, model, caller }: ScheduledReportContext,
): Promise<Mailed | 'no_rights' | 'too_large'> {
  const { language } = caller;
  const view = view_id === null ? undefined : await savedViewFor({ db, model }, caller, view_id);
  const list = view && listFile(model, view, { caller, client: client_id });
  if (!view || !list) return 'no_rights';
  const { entity, head, widths } = list;
  const rows = Number((await db.one<{ count: string }>(list.count))?.count ?? 0);
  if (rows > mostRows) return 'too_large';
  return {
    report: view.name,
    place: client,
    period: dayInWords(day),
    path: `/${entity.name}?${pageOf(list, view.id)}`,
    figures: [{ label: nameOf(language, entity, 2), value: numberInWords(rows, language) }],
    file: {
      name: `${view.name.replace(/[\\/:*?"<>|]/g, ' ')} ${day}.xlsx`,
      content: await bytesOf(xlsxOf({ name: view.name, head, widths, batches: rowsOfList(db, list) })),
    },
  };
}

/**
 * The period that is over when the turn comes: the month before, or the seven days that end the day before; of a look
 * ahead the next weeks.
 */
function askedFor({
  report,
  rhythm,
  is_detailed,
  client_id,
  fleet_id,
  location_id,
  view_id,
  day,
}: Turn): ReportRequest {
  const { asks, levels } = reports[report];
  const search = new URLSearchParams({
    by: levels[levels.length - (is_detailed ? 1 : 2)] as string,
    client_id: String(client_id),
  });
  for (const [name, id] of Object.entries({ fleet_id, location_id, view_id }))
    if (id !== null) search.set(name, String(id));
  if (asks === 'period' && rhythm === 'weekly') {
    search.set('from', addCalendarDays(day, -7));
    search.set('to', addCalendarDays(day, -1));
  }
  return parseReportRequest(report, search, day);
}

/** The same on the page. */
function pageSearch({ report, filter, from, to, by }: ReportRequest): URLSearchParams {
  const days: Record<string, string> = reports[report].asks === 'date' ? { date: to } : { from, to };
  return new URLSearchParams({
    ...Object.fromEntries(Object.entries(filter).map(([name, id]) => [name, String(id)])),
    ...days,
    by,
  });
}

/** The same list on its page, for whoever reaches it: as the view has it, to whoever may open that. */
const pageOf = ({ query }: ListFile, view: number): URLSearchParams => {
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

async function* once<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}

async function bytesOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
