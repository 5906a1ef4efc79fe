/** Reads reports: the rows within the reader's scope, with the columns that the reader may see. */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { View } from '../../../schema/entities/saved_views';
import { type ReportContent, type ReportLine, reportColumns, reports } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';
import { visibleIds } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError, type FieldProblem } from '../../context/errors';
import type { EntityModel } from '../../context/services';
import { canFilterByView, findSavedView } from '../../crud/read/savedViewFilter';
import type { Database } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { cleaningSql, prepareCleaningLines } from './cleaningSql';
import { costsSql } from './costsSql';
import type { FinishLines, ReportContext, ReportRequest } from './reportRequest';
import { runsSql } from './runsSql';
import { scopeJoinSql } from './scopeJoinSql';
import { addServicePlans, serviceSql } from './serviceSql';

const statements: Record<ReportName, (request: ReportRequest, context: ReportContext) => SQL | Promise<SQL>> = {
  cleaning: cleaningSql,
  runs: runsSql,
  costs: costsSql,
  service: serviceSql,
};
/** Functions that load additional data for lines, concurrently with the report's statement. */
const preparations: Partial<
  Record<ReportName, (request: ReportRequest, context: ReportContext) => Promise<FinishLines>>
> = {
  cleaning: prepareCleaningLines,
  service: async (_request, context) => (lines) => addServicePlans(lines, context),
};

/** Whether the caller may open the report; with `isExport`, whether the caller may export it. */
export const canReadReport = (caller: Caller, report: ReportName, isExport = false): boolean =>
  [...reports[report].permissions, ...(isExport ? [reports[report].exportPermission] : [])].every((code) =>
    hasPermission(caller, code),
  );

/**
 * Reads a report, or a range of its lines. `lineCount` is the number of all lines without the total.
 * @throws 422 for a client, fleet or location that the caller may not see
 */
export async function readReport(
  request: ReportRequest,
  context: ReportContext,
): Promise<{ result: ReportContent; lineCount: number }> {
  const { statement, head, prepareLines } = await prepareReport(request, context);
  const [rows, toLines] = await Promise.all([context.db.rows(statement), prepareLines()]);
  const lines = await toLines(rows);
  return { result: { ...head, lines }, lineCount: Number(rows[0]?.line_count ?? rows.length - 1) };
}

/** Reads all lines of a report. */
export const readWholeReport = async (request: ReportRequest, context: ReportContext): Promise<ReportContent> =>
  (await readReport(request, context)).result;

export type ReportHead = Omit<ReportContent, 'lines'>;

/** Streams a report; batches of lines are read on demand. */
export async function streamReport(
  request: ReportRequest,
  context: ReportContext & { db: Database },
  signal?: AbortSignal,
): Promise<{ head: ReportHead; batches: AsyncGenerator<ReportLine[]> }> {
  const { statement, head, prepareLines } = await prepareReport(request, context);
  const readLines = async function* () {
    const toLines = await prepareLines();
    const shape = { line: pg.text };
    const linesSql = sql`select row_to_json(line)::text as line from (${statement}) line`;
    for await (const batch of context.db.stream(shape, linesSql, linesPerBatch, signal)) {
      const rows = batch.map(({ line }) => JSON.parse(line) as Record<string, unknown>);
      yield await toLines(rows);
    }
  };
  return { head, batches: readLines() };
}

const linesPerBatch = 1000;

interface PreparedReport {
  statement: SQL;
  head: ReportHead;
  /**
   * Loads additional data. Resolves to a function that turns rows of the statement into lines, with the caller's
   * columns.
   */
  prepareLines: () => Promise<(rows: readonly Record<string, unknown>[]) => Promise<ReportLine[]>>;
}

async function prepareReport(
  request: ReportRequest,
  { db, model, caller, now }: ReportContext,
): Promise<PreparedReport> {
  const { report, by, from, to } = request;
  await requirePlacesVisible(request, { db, model, caller });
  const view = await readReportView(request, { db, model, caller });
  const columns = Object.entries(reportColumns(report)).flatMap(([name, { read }]) =>
    read === undefined || hasPermission(caller, read) ? [name] : [],
  );
  const head = {
    report,
    by,
    from,
    to,
    ...(await readSubject(request, { db, model, caller })),
    view: view ? { id: view.id, name: view.name } : null,
    columns,
  };
  const context = { db, model, caller, now };
  const filteredRequest = withViewFilter(request, view);
  const prepareLines: PreparedReport['prepareLines'] = async () => {
    const finish = await preparations[report]?.(filteredRequest, context);
    return async (rows) => {
      const lines = rows.map(
        (row): ReportLine => ({
          ...row,
          level: row.level as ReportLine['level'],
          id: numberOf(row.id),
          name: (row.name ?? null) as string | null,
        }),
      );
      await finish?.(lines);
      const names = ['level', 'id', 'name', ...columns];
      return lines.map((line) => Object.fromEntries(names.map((name) => [name, line[name] ?? null])) as ReportLine);
    };
  };
  return { statement: await statements[report](filteredRequest, context), head, prepareLines };
}

const withViewFilter = (request: ReportRequest, view: View | undefined): ReportRequest =>
  view ? { ...request, viewFilter: parseListQuery(view.query ?? '').filter } : request;

/**
 * Returns the view that filters the report, if any. Throws 422 unless the view is of the entity that the report reads,
 * and the caller may use its filters.
 */
async function readReportView(
  { report, filter }: ReportRequest,
  { db, model, caller }: Pick<ReportContext, 'db' | 'model' | 'caller'>,
): Promise<View | undefined> {
  if (filter.view_id === undefined) return undefined;
  const view = await findSavedView({ db, model }, caller, filter.view_id);
  const problem = view ? viewProblem(model, report, view, caller) : { key: 'exists' as const };
  if (problem) throw ApiError.invalidAt('view_id', problem, 'report_schedules');
  return view;
}

/** Returns the problem if a report cannot use a view. */
export function viewProblem(
  model: EntityModel,
  report: ReportName,
  view: Pick<View, 'resource' | 'query'>,
  caller: Caller,
): FieldProblem | undefined {
  const { rows: resource } = reports[report];
  if (view.resource !== resource) return { text: resource === 'machines' ? 'view_of_machines' : 'view_of_locations' };
  return canFilterByView(model.require(resource), caller, view.query) ? undefined : { text: 'beyond_own_rights' };
}

const numberOf = (id: unknown): number | null => (typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : null);

const placeFilters = { client_id: 'clients', fleet_id: 'fleets', location_id: 'locations' };

/** Throws 422 for a client, fleet or location that the caller may not see. */
async function requirePlacesVisible(
  { filter }: ReportRequest,
  { db, model, caller }: Pick<ReportContext, 'db' | 'model' | 'caller'>,
): Promise<void> {
  for (const [name, resource] of Object.entries(placeFilters)) {
    const id = filter[name as keyof typeof placeFilters];
    if (id === undefined) continue;
    const entity = model.require(resource);
    const visibleRowIds = hasPermission(caller, `${resource}.list`) ? await visibleIds(db, entity, caller, [id]) : [];
    if (visibleRowIds.length === 0) throw ApiError.invalidAt(name, { key: 'exists' }, 'machines');
  }
}

const subjectShape = {
  client: pg.json<NonNullable<ReportContent['client']>>().nullable,
  fleet: pg.json<NonNullable<ReportContent['fleet']>>().nullable,
  location: pg.json<NonNullable<ReportContent['location']>>().nullable,
};

/** Reads client, fleet and location of the report; the client also if only a fleet or location is given. */
async function readSubject(
  { filter }: ReportRequest,
  { db, model, caller }: Pick<ReportContext, 'db' | 'model' | 'caller'>,
): Promise<RowOf<typeof subjectShape>> {
  const place = sql`(select ${filter.client_id ?? null}::int as client_id, ${filter.fleet_id ?? null}::int as fleet_id,
    ${filter.location_id ?? null}::int as location_id) place`;
  const subject = await db.selectOne(
    subjectShape,
    sql`
    select case when c.id is not null then json_build_object('id', c.id, 'name', c.name, 'image', c.image)
    end as client,
      case when place.fleet_id is not null then json_build_object('id', f.id, 'name', f.name) end as fleet,
      case when l.id is not null then json_build_object('id', l.id, 'name', l.name) end as location
    from ${place} ${scopeJoinSql(model, 'locations', { caller, as: 'l', id: sql`place.location_id` })}
    ${scopeJoinSql(model, 'fleets', { caller, as: 'f', id: sql`coalesce(place.fleet_id, l.fleet_id)` })}
    ${scopeJoinSql(model, 'clients', { caller, as: 'c', id: sql`coalesce(place.client_id, f.client_id)` })}`,
  );
  return subject ?? { client: null, fleet: null, location: null };
}
