/** The calls that change rows, from the request to the committed answer. */
import type { FastifyRequest } from 'fastify';
import type { Entity } from '../../../schema/dsl/entity';
import { type Caller, hasPermission, requirePermission } from '../../context/caller';
import { ApiError, precognitionHeaders } from '../../context/errors';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/core/database';
import { mayTryAgain } from '../../db/core/faults';
import { queryStringOf } from '../../http/http';
import { writableFields } from '../query/fields';
import { prepareInsertedRowReader, prepareRowReader, type RowResult, readRow } from '../read/list';
import type { SentBody } from './body';
import { type Answer, claimIdempotencyKey, idempotencyClaimOf, storeIdempotentResponse } from './idempotency';
import { type Alone, insertWithoutTransaction, isSingleStatementInsert } from './insert';
import { type CurrentRow, lockRow, lockRows } from './lockRows';
import { publishChanges, publishDeletions } from './publishChanges';
import { purgeRows, requirePurge } from './purge';
import { restoreRows, trashRows } from './remove';
import { inTransaction, type WriteRequest } from './transaction';
import { validateDraft } from './validate';
import { createRow, updateRows } from './write';

/** Thrown to leave a transaction without a trace once everything was found valid. */
class Precognized extends Error {}

/**
 * What a Precognition request asks to judge: nothing when it is none, all fields without `Precognition-Validate-Only`.
 */
function precognition({ headers }: FastifyRequest): { only?: string[] } | undefined {
  if (headers.precognition !== 'true') return undefined;
  const only = headers['precognition-validate-only'];
  return typeof only === 'string' && only !== '' ? { only: only.split(',').map((name) => name.trim()) } : {};
}

/** 204 when `judge` finds nothing wrong; nothing that it did in the database stays. */
async function precognized(
  call: WriteRequest,
  judge: (tx: Queries, caller: Caller) => Promise<unknown>,
): Promise<Answer> {
  try {
    return await inTransaction(call, async (tx, caller) => {
      await judge(tx, caller);
      throw new Precognized();
    });
  } catch (error) {
    if (!(error instanceof Precognized)) throw error;
    return { status: 204, body: '', headers: { ...precognitionHeaders, 'Precognition-Success': 'true' } };
  }
}

/** 201 with the new row. */
export async function create(call: WriteRequest, sent: SentBody): Promise<Answer> {
  const { services, entity, request } = call;
  const permission = `${entity.name}.create`;
  const judged = precognition(request);
  if (judged)
    return precognized(call, async (tx, caller) => {
      requirePermission(caller, permission);
      await validateDraft({ services, tx, entity, caller, sent, ...judged });
    });
  const search = queryStringOf(request);
  const images = [...sent.images].map(([name, bytes]) => [name, bytes.toString('base64')]);
  const claimed = idempotencyClaimOf(request, { values: withoutPasswords(entity, sent.values), images });
  const alone = claimed ? undefined : await storedAlone(call, sent);
  if (alone) {
    await publishChanges({ services, entity, caller: request.caller, action: 'create' }, [alone.made]);
    if (alone.reading.status === 'rejected') throw alone.reading.reason;
    return created(alone.reading.value);
  }
  const done = await inTransaction(call, async (tx, caller) => {
    requirePermission(caller, permission);
    // What the query may not ask is refused before anything is stored.
    prepareRowReader(entity, caller, search);
    const earlier = claimed && (await claimIdempotencyKey(tx, caller.userId, claimed));
    if (earlier) return { earlier };
    const made = await createRow({ services, tx, entity, caller, sent });
    // A row may widen what its creator reaches: then it is read as who they are by now.
    const reading = together(prepareRowReader(entity, { ...caller }, search)(tx, made.id));
    if (claimed)
      await storeIdempotentResponse(tx, {
        userId: caller.userId,
        key: claimed.key,
        answer: created(await reading.outcome),
      });
    return { made, reading };
  });
  if (done.earlier) return done.earlier;
  await publishChanges({ services, entity, caller: request.caller, action: 'create' }, [done.made]);
  return created(await done.reading.outcome);
}

/**
 * The new row of which nothing but its insert is to be written, stored by a single statement that also says whether the
 * caller is still who they are taken for.
 * `undefined`, with nothing stored, when anything stands against it: what that is, the transaction finds out.
 */
async function storedAlone({ services, entity, request }: WriteRequest, sent: SentBody): Promise<Alone | undefined> {
  const { caller } = request;
  if (!hasPermission(caller, `${entity.name}.create`) || !isSingleStatementInsert({ entity, caller, sent }))
    return undefined;
  const search = queryStringOf(request);
  try {
    const readers = {
      made: prepareInsertedRowReader(entity, caller, search),
      row: prepareRowReader(entity, caller, search),
    };
    return await insertWithoutTransaction({ services, tx: services.db, entity, caller, sent }, readers);
  } catch (error) {
    if (
      error instanceof ApiError ||
      error instanceof UniqueViolation ||
      error instanceof ForeignKeyViolation ||
      mayTryAgain(error)
    )
      return undefined;
    throw error;
  }
}

const created = ({ data }: RowResult): Answer => ({ status: 201, body: `{"data":${data}}` });

interface Together<T> {
  outcome: Promise<T>;
}

/**
 * A question that is on its way to the database while the next ones follow, in the order asked: one journey for
 * several. Its answer is looked at later, and an error does not go astray meanwhile. As the last of a transaction it
 * travels with the commit; if it fails nothing is committed.
 */
function together<T>(outcome: Promise<T>): Together<T> {
  outcome.catch(() => {});
  return { outcome };
}

/** 200 with the row as it is now; 412 when `If-Match` names an older version. */
export async function update(
  call: WriteRequest,
  { id, sent }: { id: number; sent: SentBody },
): Promise<Answer & { version?: number }> {
  const { services, entity, request } = call;
  const mayWrite = (caller: Caller) => {
    if (writableFields(entity, caller, 'edit', id).length === 0) throw ApiError.unauthorized();
  };
  const judged = precognition(request);
  if (judged)
    return precognized(call, async (tx, caller) => {
      mayWrite(caller);
      await validateDraft({
        services,
        tx,
        entity,
        caller,
        sent,
        ...judged,
        current: await lockRow(tx, entity, caller, { id }),
      });
    });
  const { written, answer } = await inTransaction(call, async (tx, caller) => {
    mayWrite(caller);
    const read = prepareRowReader(entity, caller, queryStringOf(request));
    const current = await lockRow(tx, entity, caller, { id });
    await refuseStale(tx, { entity, caller, request }, current);
    return {
      written: await updateRows({ services, tx, entity, caller, sent }, [current]),
      answer: together(read(tx, id)),
    };
  });
  const { data, version } = await answer.outcome;
  await publishChanges({ services, entity, caller: request.caller, action: 'edit' }, written);
  return { status: 200, body: `{"data":${data}}`, version };
}

/** 204; the row of the bin is gone for good. 409 for one that is not in the bin. */
export async function purge(call: WriteRequest, id: number): Promise<void> {
  const { services, entity } = call;
  await inTransaction(call, async (tx, caller) => {
    requirePermission(caller, `${entity.name}.delete`);
    requirePurge(caller);
    const rows = await lockRows(tx, entity, caller, { ids: [id], trashed: true });
    if (rows.length === 0) {
      await lockRow(tx, entity, caller, { id });
      throw ApiError.conflict('not_in_bin');
    }
    await purgeRows({ services, tx, entity, caller, rows });
  });
  await publishDeletions({ services, entity }, [id]);
}

/** 204; the row is in the bin. 412 like an update. */
export async function remove(call: WriteRequest, id: number): Promise<void> {
  const { services, entity, request } = call;
  await inTransaction(call, async (tx, caller) => {
    requirePermission(caller, `${entity.name}.delete`);
    const current = await lockRow(tx, entity, caller, { id });
    await refuseStale(tx, { entity, caller, request }, current);
    await trashRows({ services, tx, entity, caller, rows: [current] });
  });
  await publishChanges({ services, entity, caller: request.caller, action: 'delete' }, [{ id, values: {} }]);
}

/** 200 with the row out of the bin. */
export async function restore(call: WriteRequest, id: number): Promise<Answer> {
  const { services, entity, request } = call;
  const answer = await inTransaction(
    call,
    async (tx, caller) => {
      requirePermission(caller, `${entity.name}.delete`);
      await restoreRows({
        services,
        tx,
        entity,
        caller,
        rows: [await lockRow(tx, entity, caller, { id, trashed: true })],
      });
      return { status: 200, body: `{"data":${(await readRow(tx, entity, caller, { id })).data}}` };
    },
    () => ApiError.conflict(),
  );
  await publishChanges({ services, entity, caller: request.caller, action: 'restore' }, [{ id, values: {} }]);
  return answer;
}

/** 412 when `If-Match` names another version than the locked row has. */
async function refuseStale(
  tx: Queries,
  { entity, caller, request }: Omit<WriteRequest, 'services'> & { caller: Caller },
  { id, version }: CurrentRow,
): Promise<void> {
  const expected = request.headers['if-match'];
  if (
    expected === undefined ||
    expected === '*' ||
    expected.replace(/^W\//, '').replaceAll('"', '') === String(version)
  )
    return;
  const { data } = await readRow(tx, entity, caller, { id });
  throw ApiError.stale(JSON.parse(data));
}

/** What identifies a repeated request must not be a way to guess its password. */
const withoutPasswords = (entity: Entity, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => entity.fields[name]?.kind !== 'password'));
