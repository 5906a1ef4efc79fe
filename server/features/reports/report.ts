/** A report for its reader: rows within scope, columns they may read. */
import { type SQL, sql } from 'drizzle-orm';
import { readListQuery } from '../../../schema/dsl/query';
import type { View } from '../../../schema/entities/saved_views';
import { type ReportAnswer, type ReportLine, reportColumns, reports } from '../../../schema/features/reports';
import type { ReportName } from '../../../schema/shared/reportNames';
import { visibleIds } from '../../access/scope';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError, type FieldProblem } from '../../context/errors';
import type { EntityModel } from '../../context/services';
import { canFilterByView, savedViewFor } from '../../crud/read/savedViewFilter';
import { pg, type RowOf } from '../../db/core/rowShape';
import { cleaningSql, finishCleaning } from './cleaning';
import { costsSql } from './costs';
import { reachJoinSql } from './reach';
import type { ReportContext, ReportRequest } from './reportRequest';
import { finishService, serviceSql } from './service';

const statements: Record<ReportName, (request: ReportRequest, reading: ReportContext) => SQL> = {
  cleaning: cleaningSql,
  costs: costsSql,
  service: serviceSql,
};
const finishes: Partial<Record<ReportName, (lines: ReportLine[], reading: ReportContext) => unknown>> = {
  cleaning: finishCleaning,
  service: finishService,
};

/** The caller may open the report; with `asFile` may export it. */
export const canReadReport = (caller: Caller, report: ReportName, asFile = false): boolean =>
  [...reports[report].needs, ...(asFile ? [reports[report].exports] : [])].every((code) => hasPermission(caller, code));

/** @throws 422 for a client, fleet or location that is not visible to the caller */
export async function reportFor(
  request: ReportRequest,
  { db, model, caller, now }: ReportContext,
): Promise<ReportAnswer> {
  const { report, by, from, to } = request;
  await refuseUnseen(request, { db, model, caller });
  const view = await viewOf(request, { db, model, caller });
  const visible = Object.entries(reportColumns(report)).flatMap(([name, { read }]) =>
    read === undefined || hasPermission(caller, read) ? [name] : [],
  );
  const [rows, whose] = await Promise.all([
    db.rows(statements[report](viewed(request, view), { db, model, caller, now })),
    whoseIs(request, { db, model, caller }),
  ]);
  const lines = rows.map(
    (row): ReportLine => ({
      ...row,
      level: row.level as ReportLine['level'],
      id: numberOf(row.id),
      name: (row.name ?? null) as string | null,
    }),
  );
  await finishes[report]?.(lines, { db, model, caller, now });
  const kept = ['level', 'id', 'name', ...visible];
  const shown = lines.map((line) => Object.fromEntries(kept.map((name) => [name, line[name] ?? null])) as ReportLine);
  return {
    report,
    by,
    from,
    to,
    ...whose,
    view: view ? { id: view.id, name: view.name } : null,
    columns: visible,
    lines: shown,
  };
}

const viewed = (request: ReportRequest, view: View | undefined): ReportRequest =>
  view ? { ...request, viewed: readListQuery(view.query ?? '').filter } : request;

/**
 * The view that narrows the report, if any: of an entity that the report reads, with filters that the caller may use.
 */
async function viewOf(
  { report, filter }: ReportRequest,
  { db, model, caller }: Pick<ReportContext, 'db' | 'model' | 'caller'>,
): Promise<View | undefined> {
  if (filter.view_id === undefined) return undefined;
  const view = await savedViewFor({ db, model }, caller, filter.view_id);
  const problem = view ? viewProblem(model, report, view, caller) : { key: 'exists' as const };
  if (problem) throw ApiError.invalidAt('view_id', problem, 'report_schedules');
  return view;
}

/** Problem of using a view for a report, if any. */
export function viewProblem(
  model: EntityModel,
  report: ReportName,
  view: Pick<View, 'resource' | 'query'>,
  caller: Caller,
): FieldProblem | undefined {
  const { rows } = reports[report];
  if (view.resource !== rows) return { text: rows === 'machines' ? 'view_of_machines' : 'view_of_locations' };
  return canFilterByView(model.require(rows), caller, view.query) ? undefined : { text: 'beyond_own_rights' };
}

const numberOf = (id: unknown): number | null => (typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : null);

const placeFilters = { client_id: 'clients', fleet_id: 'fleets', location_id: 'locations' };

async function refuseUnseen(
  { filter }: ReportRequest,
  { db, model, caller }: Pick<ReportContext, 'db' | 'model' | 'caller'>,
): Promise<void> {
  for (const [name, resource] of Object.entries(placeFilters)) {
    const id = filter[name as keyof typeof placeFilters];
    if (id === undefined) continue;
    const entity = model.require(resource);
    const seen = hasPermission(caller, `${resource}.list`) ? await visibleIds(db, entity, caller, [id]) : [];
    if (seen.length === 0) throw ApiError.invalidAt(name, { key: 'exists' }, 'machines');
  }
}

const subjectShape = {
  client: pg.json<NonNullable<ReportAnswer['client']>>().nullable,
  fleet: pg.json<NonNullable<ReportAnswer['fleet']>>().nullable,
  location: pg.json<NonNullable<ReportAnswer['location']>>().nullable,
};

/** Client, fleet and location of the report, with the client of a given fleet or location. */
async function whoseIs(
  { filter }: ReportRequest,
  { db, model, caller }: Pick<ReportContext, 'db' | 'model' | 'caller'>,
): Promise<RowOf<typeof subjectShape>> {
  const place = sql`(select ${filter.client_id ?? null}::int as client_id, ${filter.fleet_id ?? null}::int as fleet_id,
    ${filter.location_id ?? null}::int as location_id) place`;
  const found = await db.selectOne(
    subjectShape,
    sql`
    select case when c.id is not null then json_build_object('id', c.id, 'name', c.name, 'image', c.image)
    end as client,
      case when place.fleet_id is not null then json_build_object('id', f.id, 'name', f.name) end as fleet,
      case when l.id is not null then json_build_object('id', l.id, 'name', l.name) end as location
    from ${place} ${reachJoinSql(model, 'locations', { caller, as: 'l', id: sql`place.location_id` })}
    ${reachJoinSql(model, 'fleets', { caller, as: 'f', id: sql`coalesce(place.fleet_id, l.fleet_id)` })}
    ${reachJoinSql(model, 'clients', { caller, as: 'c', id: sql`coalesce(place.client_id, f.client_id)` })}`,
  );
  return found ?? { client: null, fleet: null, location: null };
}
