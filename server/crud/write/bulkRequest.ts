/** Bulk requests: one change to many rows, named by ids or filter, in one transaction, all or nothing. */

import { maxUndoRows } from '../../../schema/shared/maxUndoRows';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { requireReferences } from '../../http/requireReferences';
import { writableFields } from '../query/fields';
import type { Draft } from './draft';
import { inTransaction, type WriteRequest } from './inTransaction';
import { type CurrentRow, type LockPurpose, lockRows } from './lockRows';
import { publishChanges, publishDeletions } from './publishChanges';
import { purgeRows, requirePurgePermission } from './purgeRows';
import { withoutReadOnly } from './requestBody';
import { requireTargetIds } from './requireTargetIds';
import { RowErrors } from './rowErrors';
import { type OnProgress, updateRows, type WriteResult } from './rowWrites';
import { prepareTrash, restoreRows, storeTrash } from './trashRows';

type Values = Record<string, unknown>;

export interface BulkRequest extends WriteRequest {
  /** Body sent by the client: targets and change. */
  body: Values;
  onProgress?: OnProgress;
}

export interface BulkWriteResult {
  /** Number of target rows. */
  count: number;
  /** The inverse patch, if small enough to send back. */
  undo?: Undo;
}

type Undo = { ids: readonly number[] } | { changes: readonly RowPatch[] };

/** Patch of a single row; with a version it applies only to that version. */
interface RowPatch {
  id: number;
  version?: number;
  data: Values;
}

/** Rows that are locked, validated and written at a time: statements stay small, and others are served in between. */
const batchSize = 500;

/**
 * Applies one patch to every target: `data`, and for lists of links `add` and `remove`, by ids or `{filter}`; or, with
 * `changes`, one patch per row.
 */
export async function updateMany({ body, onProgress, ...writeRequest }: BulkRequest): Promise<BulkWriteResult> {
  const { services, entity, request } = writeRequest;
  const { changes, data, add, remove, ...target } = body;
  const writeResults: WriteResult[] = [];
  const undo: RowPatch[] = [];
  await inTransaction(writeRequest, async (tx, caller) => {
    if (writableFields(entity, caller, 'edit').length === 0) throw ApiError.forbidden();
    if (changes === undefined && [data, add, remove].every((value) => value === undefined))
      throw ApiError.invalidAt('data', { key: 'required' });
    // A retry of the transaction starts from the beginning.
    writeResults.length = 0;
    undo.length = 0;
    const patches = changes === undefined ? undefined : parseChanges(changes, entity);
    const ids = await requireTargetIds(tx, { entity, caller }, patches ? { ids: [...patches.keys()] } : target);
    const valuesFor = patches
      ? (row: CurrentRow) => patches.get(row.id)?.data ?? {}
      : await readSharedPatch(tx, { entity, caller }, { data, add, remove });
    if (patches)
      await requireExpectedVersions(
        tx,
        { entity, caller },
        { rows: await lockRows(tx, entity, caller, { ids, purpose: 'edit' }), patches },
      );
    const draft: Omit<Draft, 'current'> = {
      services,
      tx,
      entity,
      caller,
      body: { values: {}, images: new Map() },
      visibleReferences: new Set<string>(),
      cache: new Map<string, unknown>(),
    };
    await processInBatches({ tx, entity, caller, ids, purpose: 'edit', onProgress }, async (rows, batch) => {
      const results = await updateRows(draft, rows, {
        bodyFor: (row) => ({ values: valuesFor(row), images: new Map() }),
        ...batch,
      });
      writeResults.push(...results);
      if (ids.length <= maxUndoRows) undo.push(...inversePatches(entity, rows, results));
    });
  });
  await publishChanges({ services, entity, caller: request.caller, action: 'edit' }, writeResults);
  return { count: writeResults.length, ...(writeResults.length <= maxUndoRows && { undo: { changes: undo } }) };
}

interface EntityAccess {
  entity: ModelEntity;
  caller: Caller;
}

interface BatchRequest extends EntityAccess {
  tx: Queries;
  ids: readonly number[];
  isTrashed?: boolean;
  purpose?: LockPurpose;
  onProgress?: OnProgress;
}

/**
 * Processes rows in batches, ordered by id. After a first row error the remaining rows are only validated, so that all
 * row errors are reported.
 */
async function processInBatches(
  { tx, entity, caller, ids, isTrashed, purpose, onProgress }: BatchRequest,
  processBatch: (rows: CurrentRow[], batch: { rowErrors: RowErrors; onProgress?: OnProgress }) => Promise<void>,
): Promise<void> {
  const rowErrors = new RowErrors({ entity, caller, total: ids.length }, true);
  const sortedIds = [...ids].sort((a, b) => a - b);
  for (let from = 0; from < sortedIds.length; from += batchSize) {
    const rows = await lockRows(tx, entity, caller, {
      ids: sortedIds.slice(from, from + batchSize),
      isTrashed,
      purpose,
    });
    await processBatch(rows, {
      rowErrors,
      ...(onProgress && { onProgress: (rowsDone: number) => onProgress(from + rowsDone, ids.length) }),
    });
  }
  await rowErrors.throwIfAny(tx);
}

/** Soft-deletes every target. */
export async function removeMany({ body, onProgress, ...writeRequest }: BulkRequest): Promise<BulkWriteResult> {
  const { services, entity, request } = writeRequest;
  let ids: number[] = [];
  await inTransaction(writeRequest, async (tx, caller) => {
    requirePermission(caller, `${entity.name}.delete`);
    ids = await requireTargetIds(tx, { entity, caller }, body);
    const trashedRows: CurrentRow[] = [];
    await processInBatches({ tx, entity, caller, ids, purpose: 'edit', onProgress }, async (rows, batch) => {
      if (await prepareTrash({ services, tx, entity, caller, rows, ...batch })) trashedRows.push(...rows);
    });
    await storeTrash({ services, tx, entity, caller, rows: trashedRows });
  });
  await publishChanges({ services, entity, caller: request.caller, action: 'delete' }, ids.map(unchangedResult));
  return { count: ids.length, ...(ids.length <= maxUndoRows && { undo: { ids } }) };
}

/** Restores rows from the bin, or purges them. */
export async function purgeOrRestoreMany({
  body,
  onProgress,
  action,
  ...writeRequest
}: BulkRequest & { action: 'restore' | 'remove' }): Promise<BulkWriteResult> {
  const { services, entity, request } = writeRequest;
  let ids: number[] = [];
  const writeRows = action === 'restore' ? restoreRows : purgeRows;
  await inTransaction(
    writeRequest,
    async (tx, caller) => {
      requirePermission(caller, `${entity.name}.delete`);
      if (action === 'remove') requirePurgePermission(caller);
      ids = await requireTargetIds(tx, { entity, caller, isTrashed: true }, body);
      await processInBatches({ tx, entity, caller, ids, isTrashed: true, onProgress }, (rows, batch) =>
        writeRows({ services, tx, entity, caller, rows, ...batch }),
      );
    },
    true,
  );
  if (action === 'remove') {
    publishDeletions({ services, entity }, ids);
    return { count: ids.length };
  }
  await publishChanges({ services, entity, caller: request.caller, action: 'restore' }, ids.map(unchangedResult));
  return { count: ids.length, ...(ids.length <= maxUndoRows && { undo: { ids } }) };
}

const unchangedResult = (id: number): WriteResult => ({ id, values: {} });

/** Reads a patch that applies to all rows. Returns a function that computes the new values of a row. */
async function readSharedPatch(
  tx: Queries,
  { entity, caller }: EntityAccess,
  { data, add, remove }: Values,
): Promise<(row: CurrentRow) => Values> {
  const commonValues = data === undefined ? {} : requireObject(data, 'data');
  requireKnownFields(entity, commonValues);
  const [idsToAdd, idsToRemove] = [
    await readLinkIds(tx, { entity, caller }, add, 'add'),
    await readLinkIds(tx, { entity, caller }, remove, 'remove'),
  ];
  const names = [...new Set([...idsToAdd.keys(), ...idsToRemove.keys()])];
  return (row) => ({
    ...commonValues,
    ...Object.fromEntries(
      names.map((name) => {
        const remaining = ((row[name] as number[] | null) ?? []).filter((id) => !idsToRemove.get(name)?.has(id));
        return [name, [...new Set([...remaining, ...(idsToAdd.get(name) ?? [])])]];
      }),
    ),
  });
}

/** Reads the ids to link or unlink, by field; a `{filter}` may select them, like the targets of a bulk request. */
async function readLinkIds(
  tx: Queries,
  { entity, caller }: EntityAccess,
  value: unknown,
  operation: 'add' | 'remove',
): Promise<Map<string, Set<number>>> {
  const result = new Map<string, Set<number>>();
  if (value === undefined) return result;
  for (const [name, target] of Object.entries(requireObject(value, operation))) {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
    if (field?.kind !== 'refs') throw ApiError.invalidAt(name, { key: 'unknown' }, entity.name);
    const selection = Array.isArray(target) ? { ids: target } : requireObject(target, name);
    if (operation === 'add') requireReferences(entity.fields, { [name]: selection.ids });
    const ids = await requireTargetIds(tx, { entity: entity.model.require(field.to as string), caller }, selection);
    if (operation === 'add') requireReferences(entity.fields, { [name]: ids });
    result.set(name, new Set(ids));
  }
  return result;
}

/** Throws 422 for unknown fields, once for all rows. */
function requireKnownFields(entity: ModelEntity, values: Values): void {
  requireReferences(entity.fields, values);
  const unknownNames = Object.keys(withoutReadOnly(entity, values)).filter(
    (name) => !Object.hasOwn(entity.fields, name),
  );
  if (unknownNames.length > 0)
    throw ApiError.invalid(new Map(unknownNames.map((name) => [name, [{ key: 'unknown' }]])), entity.name);
}

function requireObject(value: unknown, field: string): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw ApiError.invalidAt(field, { key: 'required' });
  return value as Values;
}

function parseChanges(value: unknown, { fields }: ModelEntity): Map<number, RowPatch> {
  if (!Array.isArray(value)) throw ApiError.invalidAt('changes', { key: 'list' });
  const changes = value.map((change) => requireObject(change, 'changes') as unknown as RowPatch);
  for (const { data } of changes) requireReferences(fields, requireObject(data, 'data'));
  return new Map(changes.map((change) => [change.id, change]));
}

/** Throws row errors for rows whose version is not the expected one. */
async function requireExpectedVersions(
  tx: Queries,
  access: EntityAccess,
  { rows, patches }: { rows: readonly CurrentRow[]; patches: ReadonlyMap<number, RowPatch> },
): Promise<void> {
  const rowErrors = new RowErrors({ ...access, total: rows.length });
  for (const { id, version } of rows) {
    const expectedVersion = patches.get(id)?.version;
    if (expectedVersion !== undefined && expectedVersion !== version) rowErrors.add(id, ApiError.conflict('stale'));
  }
  await rowErrors.throwIfAny(tx);
}

/** Values of the changed rows before the change. */
function inversePatches(entity: ModelEntity, rows: readonly CurrentRow[], results: readonly WriteResult[]): RowPatch[] {
  const storedRows = new Map(rows.map((row) => [row.id, row]));
  return results.flatMap(({ id, values }) => {
    const row = storedRows.get(id);
    const names = Object.keys(values).filter(
      (name) => !['password', 'image', 'records'].includes(entity.fields[name]?.kind ?? ''),
    );
    return row && names.length > 0
      ? [{ id, version: row.version + 1, data: Object.fromEntries(names.map((name) => [name, row[name] ?? null])) }]
      : [];
  });
}
