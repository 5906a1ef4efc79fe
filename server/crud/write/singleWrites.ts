/** Create, update, delete, purge and restore of one row, from request to committed response. */
import type { FastifyRequest } from 'fastify';
import { type Caller, hasPermission, requirePermission } from '../../context/caller';
import { ApiError, precognitionHeaders } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/core/database';
import { isRetryable } from '../../db/core/faults';
import { queryStringOf } from '../../http/http';
import { writableFields } from '../query/fields';
import {
  mayExceedIncludeLimit,
  prepareInsertedRowReader,
  prepareRowReader,
  type RowResult,
  readRow,
} from '../read/readList';
import { claimIdempotencyKey, idempotencyClaimOf, type StoredResponse, storeIdempotentResponse } from './idempotency';
import { type InsertResult, insertWithoutTransaction, isSingleStatementInsert } from './insert';
import { inTransaction, type WriteRequest } from './inTransaction';
import { type CurrentRow, lockRow, lockRows } from './lockRows';
import { publishChanges, publishDeletions } from './publishChanges';
import { purgeRows, requirePurgePermission } from './purgeRows';
import type { RequestBody } from './requestBody';
import { createRow, updateRows } from './rowWrites';
import { restoreRows, trashRows } from './trashRows';
import { validateDraft } from './validateDraft';

/** Thrown to roll back after a successful validation. */
class PrecognitionRollback extends Error {}

/**
 * Fields that a Precognition request validates, all of them without `Precognition-Validate-Only`; `undefined` for other
 * requests.
 */
function precognitionOf({ headers }: FastifyRequest): { onlyFields?: string[] } | undefined {
  if (headers.precognition !== 'true') return undefined;
  const validatedFields = headers['precognition-validate-only'];
  return typeof validatedFields === 'string' && validatedFields !== ''
    ? { onlyFields: validatedFields.split(',').map((name) => name.trim()) }
    : {};
}

/** Answers 204 if `validate` finds no problem. Always rolls back. */
async function validateOnly(
  writeRequest: WriteRequest,
  validate: (tx: Queries, caller: Caller) => Promise<unknown>,
): Promise<StoredResponse> {
  try {
    return await inTransaction(writeRequest, async (tx, caller) => {
      await validate(tx, caller);
      throw new PrecognitionRollback();
    });
  } catch (error) {
    if (!(error instanceof PrecognitionRollback)) throw error;
    return { status: 204, body: '', headers: { ...precognitionHeaders, 'Precognition-Success': 'true' } };
  }
}

/** Answers 201 with the new row. */
export async function createSingle(writeRequest: WriteRequest, body: RequestBody): Promise<StoredResponse> {
  const { services, entity, request } = writeRequest;
  const permission = `${entity.name}.create`;
  const precognition = precognitionOf(request);
  if (precognition)
    return validateOnly(writeRequest, async (tx, caller) => {
      requirePermission(caller, permission);
      await validateDraft({ services, tx, entity, caller, body, ...precognition });
    });
  const search = queryStringOf(request);
  const images = [...body.images].map(([name, bytes]) => [name, bytes.toString('base64')]);
  const claim = idempotencyClaimOf(request, { values: withoutPasswords(entity, body.values), images });
  const insertResult = claim ? undefined : await tryInsert(writeRequest, body);
  if (insertResult) {
    await publishChanges({ services, entity, caller: request.caller, action: 'create' }, [insertResult.writeResult]);
    if (insertResult.rowResult.status === 'rejected') throw insertResult.rowResult.reason;
    return createdResponse(insertResult.rowResult.value);
  }
  const result = await inTransaction(writeRequest, async (tx, caller) => {
    requirePermission(caller, permission);
    // Rejects an invalid query before anything is stored.
    prepareRowReader(entity, caller, search);
    const earlierResponse = claim && (await claimIdempotencyKey(tx, caller.userId, claim));
    if (earlierResponse) return { earlierResponse };
    const writeResult = await createRow({ services, tx, entity, caller, body });
    // The new row may widen its creator's scope. A copy of the caller has no cached statement key.
    const pendingRow = pendingQuery(prepareRowReader(entity, { ...caller }, search)(tx, writeResult.id));
    if (mayExceedIncludeLimit(entity, caller, search)) await pendingRow.outcome;
    if (claim)
      await storeIdempotentResponse(tx, {
        userId: caller.userId,
        key: claim.key,
        response: createdResponse(await pendingRow.outcome),
      });
    return { writeResult, pendingRow };
  });
  if (result.earlierResponse) return result.earlierResponse;
  await publishChanges({ services, entity, caller: request.caller, action: 'create' }, [result.writeResult]);
  return createdResponse(await result.pendingRow.outcome);
}

/**
 * Stores a new row with a single statement that also verifies the access version. Returns `undefined`, with nothing
 * stored, if the row needs a transaction or the statement fails; a transaction then reports the reason.
 */
async function tryInsert(
  { services, entity, request }: WriteRequest,
  body: RequestBody,
): Promise<InsertResult | undefined> {
  const { caller } = request;
  if (!hasPermission(caller, `${entity.name}.create`) || !isSingleStatementInsert({ entity, caller, body }))
    return undefined;
  const search = queryStringOf(request);
  if (mayExceedIncludeLimit(entity, caller, search)) return undefined;
  try {
    const readers = {
      readInserted: prepareInsertedRowReader(entity, caller, search),
      readById: prepareRowReader(entity, caller, search),
    };
    return await insertWithoutTransaction({ services, tx: services.db, entity, caller, body }, readers);
  } catch (error) {
    if (
      error instanceof ApiError ||
      error instanceof UniqueViolation ||
      error instanceof ForeignKeyViolation ||
      isRetryable(error)
    )
      return undefined;
    throw error;
  }
}

const createdResponse = ({ data }: RowResult): StoredResponse => ({ status: 201, body: `{"data":${data}}` });

interface PendingQuery<T> {
  outcome: Promise<T>;
}

/**
 * Holds a query that is sent before its result is needed, so that the next statements share its round trip; the last
 * query of a transaction shares that of the commit, and if it fails, nothing is committed. The object keeps an async
 * function from awaiting the promise. Prevents an unhandled rejection until the result is awaited.
 */
function pendingQuery<T>(outcome: Promise<T>): PendingQuery<T> {
  outcome.catch(() => {});
  return { outcome };
}

/** Answers 200 with the current row; 412 if `If-Match` names an older version. */
export async function updateSingle(
  writeRequest: WriteRequest,
  { id, body }: { id: number; body: RequestBody },
): Promise<StoredResponse & { version?: number }> {
  const { services, entity, request } = writeRequest;
  const requireWritable = (caller: Caller) => {
    if (writableFields(entity, caller, 'edit', id).length === 0) throw ApiError.forbidden();
  };
  const precognition = precognitionOf(request);
  if (precognition)
    return validateOnly(writeRequest, async (tx, caller) => {
      requireWritable(caller);
      await validateDraft({
        services,
        tx,
        entity,
        caller,
        body,
        ...precognition,
        current: await lockRow(tx, entity, caller, { id, purpose: 'edit' }),
      });
    });
  const { results, pendingRow } = await inTransaction(writeRequest, async (tx, caller) => {
    requireWritable(caller);
    const search = queryStringOf(request);
    const readUpdatedRow = prepareRowReader(entity, caller, search);
    const current = await lockRow(tx, entity, caller, { id, purpose: 'edit' });
    await requireIfMatch(tx, { entity, caller, request }, current);
    const results = await updateRows({ services, tx, entity, caller, body }, [current]);
    const pendingRow = pendingQuery(readUpdatedRow(tx, id));
    if (mayExceedIncludeLimit(entity, caller, search)) await pendingRow.outcome;
    return { results, pendingRow };
  });
  const { data, version } = await pendingRow.outcome;
  await publishChanges({ services, entity, caller: request.caller, action: 'edit' }, results);
  return { status: 200, body: `{"data":${data}}`, version };
}

/** Purges a soft-deleted row (204). Throws 409 if the row is not in the bin. */
export async function purgeSingle(writeRequest: WriteRequest, id: number): Promise<void> {
  const { services, entity } = writeRequest;
  await inTransaction(writeRequest, async (tx, caller) => {
    requirePermission(caller, `${entity.name}.delete`);
    requirePurgePermission(caller);
    const rows = await lockRows(tx, entity, caller, { ids: [id], isTrashed: true });
    if (rows.length === 0) {
      await lockRow(tx, entity, caller, { id });
      throw ApiError.conflict('not_in_bin');
    }
    await purgeRows({ services, tx, entity, caller, rows });
  });
  publishDeletions({ services, entity }, [id]);
}

/** Soft-deletes a row (204). Throws 412 like an update. */
export async function trashSingle(writeRequest: WriteRequest, id: number): Promise<void> {
  const { services, entity, request } = writeRequest;
  await inTransaction(writeRequest, async (tx, caller) => {
    requirePermission(caller, `${entity.name}.delete`);
    const current = await lockRow(tx, entity, caller, { id, purpose: 'edit' });
    await requireIfMatch(tx, { entity, caller, request }, current);
    await trashRows({ services, tx, entity, caller, rows: [current] });
  });
  await publishChanges({ services, entity, caller: request.caller, action: 'delete' }, [{ id, values: {} }]);
}

/** Restores a row and answers 200 with it. */
export async function restoreSingle(writeRequest: WriteRequest, id: number): Promise<StoredResponse> {
  const { services, entity, request } = writeRequest;
  const response = await inTransaction(
    writeRequest,
    async (tx, caller) => {
      requirePermission(caller, `${entity.name}.delete`);
      await restoreRows({
        services,
        tx,
        entity,
        caller,
        rows: [await lockRow(tx, entity, caller, { id, isTrashed: true })],
      });
      return { status: 200, body: `{"data":${(await readRow(tx, entity, caller, { id })).data}}` };
    },
    true,
  );
  await publishChanges({ services, entity, caller: request.caller, action: 'restore' }, [{ id, values: {} }]);
  return response;
}

/** Throws 412 if `If-Match` names a version other than the locked row's. */
async function requireIfMatch(
  tx: Queries,
  { entity, caller, request }: Omit<WriteRequest, 'services'> & { caller: Caller },
  { id, version }: CurrentRow,
): Promise<void> {
  const expectedTags = request.headers['if-match']?.split(',').map((tag) => tag.trim());
  // Weak tags match too: proxies that compress weaken them.
  const isCurrent = (tag: string) => tag === '*' || tag.replace(/^W\//, '').replaceAll('"', '') === String(version);
  if (!expectedTags || expectedTags.some(isCurrent)) return;
  const { data } = await readRow(tx, entity, caller, { id });
  throw ApiError.stale(JSON.parse(data));
}

/** Passwords are excluded from the fingerprint, so that it cannot be used to guess them. */
const withoutPasswords = (entity: ModelEntity, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => entity.fields[name]?.kind !== 'password'));
