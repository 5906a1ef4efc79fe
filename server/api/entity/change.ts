/** The calls that change rows, from the request to the committed answer. */
import type { FastifyRequest } from 'fastify';
import type { Entity } from '../../../schema/dsl/entity';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/database';
import { mayTryAgain } from '../../db/faults';
import { fieldOfKey } from '../../db/names';
import type { Services } from '../../services';
import { readCaller } from '../auth';
import { type Caller, holds, may } from '../caller';
import { precognitive, Refusal } from '../errors';
import { searchOf } from '../http';
import { serverOf } from '../model';
import type { Sent } from './body';
import { checked } from './check';
import { writable } from './fields';
import { type Answer, claim, claimOf, keep } from './idempotency';
import { type Alone, insertAlone, isInsertAlone } from './insert';
import { type Found, madeReader, rowAnswer, rowReader } from './list';
import { mayPurge, purgeRows } from './purge';
import { removeRows, restoreRows } from './remove';
import { lockRow, lockRows, type Stored } from './stored';
import { createRow, updateRows, type Written } from './write';

/** A request to write. Who calls is read inside its transaction (`transacted`): the caller of the request itself may be as of earlier. */
export interface Call {
  services: Services;
  entity: Entity;
  request: FastifyRequest;
}

/** Thrown to leave a transaction without a trace once everything was found valid. */
class Precognized extends Error {}

/** What a Precognition request asks to judge: nothing when it is none, all fields without `Precognition-Validate-Only`. */
function precognition({ headers }: FastifyRequest): { only?: string[] } | undefined {
  if (headers.precognition !== 'true') return undefined;
  const only = headers['precognition-validate-only'];
  return typeof only === 'string' && only !== '' ? { only: only.split(',').map((name) => name.trim()) } : {};
}

/** 204 when `judge` finds nothing wrong; nothing that it did in the database stays. */
async function precognized(call: Call, judge: (tx: Queries, caller: Caller) => Promise<unknown>): Promise<Answer> {
  try {
    return await transacted(call, async (tx, caller) => {
      await judge(tx, caller);
      throw new Precognized();
    });
  } catch (error) {
    if (!(error instanceof Precognized)) throw error;
    return { status: 204, body: '', headers: { ...precognitive, 'Precognition-Success': 'true' } };
  }
}

/** 201 with the new row. */
export async function create(call: Call, sent: Sent): Promise<Answer> {
  const { services, entity, request } = call;
  const permission = `${entity.name}.create`;
  const judged = precognition(request);
  if (judged)
    return precognized(call, async (tx, caller) => {
      may(caller, permission);
      await checked({ services, tx, entity, caller, sent, ...judged });
    });
  const search = searchOf(request);
  const images = [...sent.images].map(([name, bytes]) => [name, bytes.toString('base64')]);
  const claimed = claimOf(request, { values: withoutPasswords(entity, sent.values), images });
  const alone = claimed ? undefined : await storedAlone(call, sent);
  if (alone) {
    await tell({ services, entity, caller: request.caller, action: 'create' }, [alone.made]);
    if (alone.reading.status === 'rejected') throw alone.reading.reason;
    return created(alone.reading.value);
  }
  const done = await transacted(call, async (tx, caller) => {
    may(caller, permission);
    // What the query may not ask is refused before anything is stored.
    rowReader(entity, caller, search);
    const earlier = claimed && (await claim(tx, caller.userId, claimed));
    if (earlier) return { earlier };
    const made = await createRow({ services, tx, entity, caller, sent });
    // A row may widen what its creator reaches: then it is read as who they are by now.
    const reading = together(rowReader(entity, { ...caller }, search)(tx, made.id));
    if (claimed) await keep(tx, { userId: caller.userId, key: claimed.key, answer: created(await reading.outcome) });
    return { made, reading };
  });
  if (done.earlier) return done.earlier;
  await tell({ services, entity, caller: request.caller, action: 'create' }, [done.made]);
  return created(await done.reading.outcome);
}

/**
 * The new row of which nothing but its insert is to be written, stored by a single statement that also says whether the caller is still who they are taken for.
 * `undefined`, with nothing stored, when anything stands against it: what that is, the transaction finds out.
 */
async function storedAlone({ services, entity, request }: Call, sent: Sent): Promise<Alone | undefined> {
  const { caller } = request;
  if (!holds(caller, `${entity.name}.create`) || !isInsertAlone({ entity, caller, sent })) return undefined;
  const search = searchOf(request);
  try {
    const readers = { made: madeReader(entity, caller, search), row: rowReader(entity, caller, search) };
    return await insertAlone({ services, tx: services.db, entity, caller, sent }, readers);
  } catch (error) {
    if (error instanceof Refusal || error instanceof UniqueViolation || error instanceof ForeignKeyViolation || mayTryAgain(error)) return undefined;
    throw error;
  }
}

const created = ({ data }: Found): Answer => ({ status: 201, body: `{"data":${data}}` });

interface Together<T> {
  outcome: Promise<T>;
}

/**
 * A question that is on its way to the database while the next ones follow, in the order asked: one journey for several. Its answer is looked at later,
 * and an error does not go astray meanwhile. As the last of a transaction it travels with the commit; if it fails nothing is committed.
 */
function together<T>(outcome: Promise<T>): Together<T> {
  outcome.catch(() => {});
  return { outcome };
}

/** 200 with the row as it is now; 412 when `If-Match` names an older version. */
export async function update(call: Call, { id, sent }: { id: number; sent: Sent }): Promise<Answer & { version?: number }> {
  const { services, entity, request } = call;
  const mayWrite = (caller: Caller) => {
    if (writable(entity, caller, 'edit', id).length === 0) throw Refusal.unauthorized();
  };
  const judged = precognition(request);
  if (judged)
    return precognized(call, async (tx, caller) => {
      mayWrite(caller);
      await checked({ services, tx, entity, caller, sent, ...judged, current: await lockRow(tx, entity, caller, { id }) });
    });
  const { written, answer } = await transacted(call, async (tx, caller) => {
    mayWrite(caller);
    const read = rowReader(entity, caller, searchOf(request));
    const current = await lockRow(tx, entity, caller, { id });
    await refuseStale(tx, { entity, caller, request }, current);
    return { written: await updateRows({ services, tx, entity, caller, sent }, [current]), answer: together(read(tx, id)) };
  });
  const { data, version } = await answer.outcome;
  await tell({ services, entity, caller: request.caller, action: 'edit' }, written);
  return { status: 200, body: `{"data":${data}}`, version };
}

/** 204; the row of the bin is gone for good. 409 for one that is not in the bin. */
export async function purge(call: Call, id: number): Promise<void> {
  const { services, entity } = call;
  await transacted(call, async (tx, caller) => {
    may(caller, `${entity.name}.delete`);
    mayPurge(caller);
    const rows = await lockRows(tx, entity, caller, { ids: [id], trashed: true });
    if (rows.length === 0) {
      await lockRow(tx, entity, caller, { id });
      throw Refusal.conflict('not_in_bin');
    }
    await purgeRows({ services, tx, entity, caller, rows });
  });
  await tellGone({ services, entity }, [id]);
}

/** 204; the row is in the bin. 412 like an update. */
export async function remove(call: Call, id: number): Promise<void> {
  const { services, entity, request } = call;
  await transacted(call, async (tx, caller) => {
    may(caller, `${entity.name}.delete`);
    const current = await lockRow(tx, entity, caller, { id });
    await refuseStale(tx, { entity, caller, request }, current);
    await removeRows({ services, tx, entity, caller, rows: [current] });
  });
  await tell({ services, entity, caller: request.caller, action: 'delete' }, [{ id, values: {} }]);
}

/** 200 with the row out of the bin. */
export async function restore(call: Call, id: number): Promise<Answer> {
  const { services, entity, request } = call;
  const answer = await transacted(
    call,
    async (tx, caller) => {
      may(caller, `${entity.name}.delete`);
      await restoreRows({ services, tx, entity, caller, rows: [await lockRow(tx, entity, caller, { id, trashed: true })] });
      return { status: 200, body: `{"data":${(await rowAnswer(tx, entity, caller, { id })).data}}` };
    },
    () => Refusal.conflict(),
  );
  await tell({ services, entity, caller: request.caller, action: 'restore' }, [{ id, values: {} }]);
  return answer;
}

/** 412 when `If-Match` names another version than the locked row has. */
async function refuseStale(tx: Queries, { entity, caller, request }: Omit<Call, 'services'> & { caller: Caller }, { id, version }: Stored): Promise<void> {
  const expected = request.headers['if-match'];
  if (expected === undefined || expected === '*' || expected.replace(/^W\//, '').replaceAll('"', '') === String(version)) return;
  const { data } = await rowAnswer(tx, entity, caller, { id });
  throw Refusal.stale(JSON.parse(data));
}

/** Runs `work` in a transaction, as who calls when it begins: it judges what they may. */
export const transacted = <T>({ services, entity, request }: Call, work: (tx: Queries, caller: Caller) => Promise<T>, taken?: () => Refusal): Promise<T> =>
  explained(entity, () => services.db.transaction(async (tx) => work(tx, await readCaller(tx, request))), taken);

/** What keys of the database refuse, as a refusal: a unique key that was taken meanwhile is a problem at its field. */
async function explained<T>(entity: Entity, work: () => Promise<T>, taken?: () => Refusal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw Refusal.conflict();
    if (!(error instanceof UniqueViolation)) throw error;
    const field = fieldOfKey(entity, error.constraint);
    throw taken?.() ?? (field ? Refusal.invalidAt(field, { key: 'taken' }, entity.name) : Refusal.conflict());
  }
}

/** What identifies a repeated request must not be a way to guess its password. */
const withoutPasswords = (entity: Entity, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => entity.fields[name]?.kind !== 'password'));

export const tellGone = async ({ services, entity }: Pick<Call, 'services' | 'entity'>, ids: readonly number[]): Promise<void> =>
  services.live.publish(ids.map((id) => ({ entity: entity.name, id, type: 'deleted' as const }))).then(() => undefined);

const types = { create: 'created', edit: 'updated', restore: 'created', delete: 'deleted' } as const;

/** Rows whose consequences are told together: live news is gathered for a moment, and one row after the other would wait for that moment each. */
const atOnce = 50;

/** After the commit: the entity's own consequences, then open pages hear of it. Rows that did not change are not news. */
export async function tell(
  { services, entity, caller, action }: Omit<Call, 'request'> & { caller: Caller; action: keyof typeof types },
  written: readonly Written[],
): Promise<void> {
  const news = written.filter(({ values }) => action !== 'edit' || Object.keys(values).length > 0);
  const { committed } = serverOf(entity);
  for (let at = 0; committed && at < news.length; at += atOnce)
    await Promise.all(news.slice(at, at + atOnce).map(({ id, values }) => committed({ caller, services, id, action, values })));
  services.live
    .publish(news.map(({ id }) => ({ entity: entity.name, id, type: types[action] })))
    .catch((err: unknown) => services.log.warn({ err }, 'open pages could not be told of a change'));
}
