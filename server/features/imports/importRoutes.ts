/** Routes of imports: upload, preview, corrections, commit, cancel, undo. */
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { isCreatable } from '../../../schema/dsl/entity';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { EndpointResponse } from '../../../schema/endpoints';
import { type RowAction, rowActions } from '../../../schema/shared/imports';
import { requireVisible } from '../../access/scopeWhere';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Routes, Services } from '../../context/services';
import { printPagination, readRow, withExtraFields } from '../../crud/read/readList';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve, type WriteTransaction, writeTransaction } from '../../endpoints/serve';
import type { Cell } from '../../files/csv';
import { fileKindOf, jsonPiece, sendSheet } from '../../files/sendSheet';
import { apiPrefix, idParam, queryStringOf, sendJsonText } from '../../http/http';
import { sheetParameters } from '../../http/queryParameters';
import { formatMessage, labelOf, nameOf } from '../../i18n/messages';
import { createImport, requireRoomInQueue, requireTable } from './createImport';
import { editRow } from './editRow';
import { endImport } from './endImport';
import { cancelStep, enqueueStep, workingStates } from './enqueueStep';
import { type ReadCell, textOfCell } from './importCell';
import type { CellProblem } from './importContext';
import { importViewer, loadImporter } from './importer';
import { publishImport, startImportWorker } from './importJobs';
import { describeProblem, readImportDetails, readRowsPage } from './importResponses';
import { entityOf, type ImportJob, readImportJob, setImportState } from './job';
import { parseSettings, readUploadForm } from './settings';
import { listTargets } from './target';
import { findRowsChangedSince } from './undo';

export const importRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, model } = services;
  const entity = model.require('imports');
  const worker = startImportWorker(services);
  app.addHook('onClose', () => worker.stop());

  for (const resource of services.model.entities.filter(isCreatable))
    for (const name of [resource.name, ...resource.alias]) {
      app.post(`${apiPrefix}/${name}/import`, async (request, reply) => {
        const { caller } = request;
        const permission = `${resource.name}.import`;
        requirePermission(caller, permission);
        await requireRoomInQueue(db, caller);
        const { file, texts } = await readUploadForm(request);
        requireTable(file);
        const { dry_run, ...settingTexts } = texts;
        const settings = parseSettings(settingTexts, { entity: resource, caller });
        const isDryRun = [dry_run, new URLSearchParams(queryStringOf(request)).get('dry_run')].some((value) =>
          ['1', 'true'].includes(String(value)),
        );
        const transaction = writeTransaction(request, { permission });
        const id = await createImport(services, transaction, { resource, file, settings, commits: !isDryRun });
        return sendJsonText(reply.status(202), (await importResponse(services, caller, id)).text);
      });

      app.get(
        `${apiPrefix}/${name}/import/template`,
        { config: { parameters: sheetParameters } },
        async (request, reply) => {
          const { caller } = request;
          requirePermission(caller, `${resource.name}.import`);
          const fields = [...new Set(listTargets(resource, caller).map(({ field }) => field))].filter(
            (field) => field !== 'id',
          );
          const head = fields.map((field) => labelOf(caller.language, resource, field));
          return sendSheet(reply, {
            ...fileKindOf(request, 'xlsx'),
            name: nameOf(caller.language, resource, 2),
            head,
            pieces: noPieces(),
          });
        },
      );
    }

  serve(app, 'GET /imports/{id}/rows', async (_, request) => {
    const job = await requireJob(request);
    const search = queryStringOf(request);
    const query = parseListQuery(search);
    const actions = (query.filter.find(({ path }) => path === 'action')?.values ?? []) as RowAction[];
    const unknownNames = query.filter.filter(({ path }) => path !== 'action').map(({ path }) => path);
    if (unknownNames.length > 0) throw ApiError.notAllowed('filter', unknownNames, ['action']);
    if (actions.some((action) => !rowActions.includes(action)))
      throw ApiError.invalidAt('action', { key: 'one_of', values: { values: rowActions.join(', ') } });
    const { rows, total } = await readRowsPage(
      db,
      { caller: request.caller, job, entity: entityOf(services, job) },
      { actions, page: query.page, perPage: query.per_page },
    );
    const path = `${services.env.publicUrl}${apiPrefix}/imports/${job.id}/rows`;
    return new JsonText(`{"data":${JSON.stringify(rows)},${printPagination(query, total, { search, path })}}`);
  });

  for (const key of ['PUT /imports/{id}/rows/{row}', 'PATCH /imports/{id}/rows/{row}'] as const)
    serve(app, key, async ({ params: { row }, transaction }, request) => {
      const job = await requireJob(request);
      requireState(job, ['checked', 'failed']);
      const { cells } = (request.body ?? {}) as { cells?: unknown };
      return {
        data: await transaction((tx, reader) => editRow(services, tx, { job, reader }, { row, cells })),
      };
    });

  serve(app, 'POST /imports/{id}/check', async ({ transaction }, request) => {
    const job = await requireJob(request);
    requireState(job, ['checked', 'failed', 'cancelled']);
    const settings = parseSettings((request.body ?? {}) as Record<string, unknown>, {
      entity: entityOf(services, job),
      caller: request.caller,
      previous: job.settings,
    });
    await moveState(
      transaction,
      job,
      'waiting',
      sql`settings = ${JSON.stringify(settings)}::text::jsonb, commits = false`,
    );
    return importResponse(services, request.caller, job.id);
  });

  serve(app, 'POST /imports/{id}/commit', async ({ transaction }, request) => {
    const job = await requireJob(request);
    requireState(job, ['checked', 'failed']);
    if (!job.columns || job.problem) throw ApiError.conflict('import_not_now');
    await moveState(transaction, job, 'committing', sql`commits = true`);
    return importResponse(services, request.caller, job.id);
  });

  serve(app, 'POST /imports/{id}/cancel', async ({ transaction }, request) => {
    const job = await requireJob(request);
    await transaction(async (tx) => {
      // Locks in the same order as a worker: the import's row before its job.
      await tx.rows(sql`select 1 from imports where id = ${job.id}::int for no key update`);
      const current = await readImportJob(tx, job.id);
      if (!current) throw ApiError.notFound();
      // An undo in pieces cannot be stopped halfway.
      if (current.state === 'undoing' && db.kind === 'pglite') throw ApiError.conflict('import_not_now');
      if (!workingStates.includes(current.state)) {
        requireState(current, ['checked', 'failed', 'cancelled']);
        return setImportState(tx, job.id, { state: 'cancelled' });
      }
      await cancelStep(tx, job.id);
      return endImport(services, tx, job.id, { state: 'cancelled' });
    });
    publishImport(services, job.id);
    return importResponse(services, request.caller, job.id);
  });

  serve(app, 'POST /imports/{id}/undo', async ({ transaction }, request) => {
    const job = await requireJob(request);
    requireState(job, ['done']);
    const importer = await loadImporter(db, {
      user_id: job.user_id,
      requester_id: request.caller.userId,
      token_id: request.caller.tokenId ?? null,
    });
    const changedRows = importer
      ? await findRowsChangedSince(db, { entity: entityOf(services, job), caller: importer }, job)
      : [];
    if (changedRows.length > 0)
      throw new ApiError(
        409,
        { text: 'import_changed_since', values: { smart_count: changedRows.length } },
        { body: { rows: changedRows.map((row) => ({ row })) } },
      );
    await moveState(transaction, job, 'undoing', sql`commits = true`);
    return importResponse(services, request.caller, job.id);
  });

  /** Rows with errors and a last column with the reasons, to be corrected and uploaded again. */
  serve(app, 'GET /imports/{id}/rejected', async (_, request, reply) => {
    const job = await requireJob(request);
    const { caller } = request;
    const kind = fileKindOf(request, 'xlsx');
    const columns = job.columns ?? [];
    const batches = db.stream(
      {
        cells: pg.json<ReadCell[]>(),
        edited: pg.json<Record<string, string>>().nullable,
        problems: pg.json<CellProblem[]>().nullable,
      },
      sql`select cells, edited, problems from import_rows where import_id = ${job.id}::int and action = 'error'
        order by row`,
    );
    return sendSheet(reply, {
      ...kind,
      name: formatMessage(caller.language, 'api.import_rejected'),
      head: [...columns.map(({ head }) => head), formatMessage(caller.language, 'api.import_errors')],
      pieces: printPieces(batches, ({ cells, edited, problems }) => [
        ...columns.map(({ index }) => edited?.[index] ?? textOfCell(cells[index])),
        (problems ?? [])
          .map((problem) => describeProblem(caller, job, problem, entityOf(services, job)).message)
          .join(' '),
      ]),
      printRow: (row) => row as Cell[],
    });
  });

  /** Returns the import of a call, if the caller may work with it. */
  async function requireJob(request: FastifyRequest): Promise<ImportJob> {
    const { caller } = request;
    const id = idParam(request);
    const viewer = importViewer(caller);
    if (!viewer) throw ApiError.forbidden();
    await requireVisible(db, entity, viewer, id);
    const job = await readImportJob(db, id);
    if (!job) throw ApiError.notFound();
    if (request.method !== 'GET') requirePermission(caller, `${job.resource}.import`);
    return job;
  }

  /** Moves an import to a state in which the worker continues. Throws 409 if its state has changed meanwhile. */
  async function moveState(
    transaction: WriteTransaction,
    job: ImportJob,
    state: 'waiting' | 'committing' | 'undoing',
    assignments: ReturnType<typeof sql>,
  ): Promise<void> {
    await transaction(async (tx, caller) => {
      const updatedRow = await tx.one(
        sql`update imports set state = ${state}, finished_at = null where id = ${job.id}::int and state = ${job.state}
          returning id`,
      );
      if (!updatedRow) throw ApiError.conflict('import_not_now');
      await tx.rows(
        sql`update import_jobs set ${assignments}, requester_id = ${caller.userId}::int,
          token_id = ${caller.tokenId ?? null}::int,
          cancelled = false, problem = null where import_id = ${job.id}::int`,
      );
      await enqueueStep(tx, job.id, services.now());
    });
  }
};

/** Builds the body of every response with one import. */
async function importResponse(
  services: Services,
  caller: Caller,
  id: number,
): Promise<JsonText<EndpointResponse<'POST /imports/{id}/commit'>>> {
  const [row, details] = await Promise.all([
    readRow(services.db, services.model.require('imports'), importViewer(caller) ?? caller, { id }),
    readImportDetails(services, caller, id),
  ]);
  return new JsonText(`{"data":${withExtraFields(row.data, details)}}`);
}

function requireState({ state }: ImportJob, states: readonly ImportJob['state'][]): void {
  if (!states.includes(state)) throw ApiError.conflict('import_not_now');
}

async function* noPieces(): AsyncGenerator<never[]> {}

/** Prints rows as pieces of a sheet. */
async function* printPieces<T>(
  batches: AsyncIterable<T[]>,
  cells: (row: T) => Cell[],
): AsyncGenerator<ReturnType<typeof jsonPiece>[]> {
  for await (const rows of batches) yield [jsonPiece(rows.map(cells))];
}
