/** The calls that change rows, from the request to the committed answer. */
import type { FastifyRequest } from 'fastify';
import type { Entity } from '../../../schema/dsl/entity';
import { type Database, ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/database';
import { fieldOfKey } from '../../db/names';
import type { Services } from '../../services';
import { refuseOtherNow } from '../auth';
import { type Caller, may } from '../caller';
import { precognitive, Refusal } from '../errors';
import { searchOf } from '../http';
import { serverOf } from '../model';
import type { Sent } from './body';
import { checked } from './check';
import { writable } from './fields';
import { type Answer, claim, claimOf, keep } from './idempotency';
import { insertAlone, isInsertAlone } from './insert';
import { type Found, madeReader, rowAnswer, rowReader } from './list';
import { mayPurge, purgeRows } from './purge';
import { removeRows, restoreRows } from './remove';
import { lockRow, lockRows, type Stored } from './stored';
import { createRow, updateRows, type Written } from './write';

export interface Call {
  services: Services;
  entity: Entity;
  caller: Caller;
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
async function precognized(db: Database, entity: Entity, judge: (tx: Queries) => Promise<unknown>): Promise<Answer> {
  try {
    return await transacted(db, entity, async (tx) => {
      await judge(tx);
      throw new Precognized();
    });
  } catch (error) {
    if (!(error instanceof Precognized)) throw error;
    return { status: 204, body: '', headers: { ...precognitive, 'Precognition-Success': 'true' } };
  }
}

/**
 * Creates a row. What is asked before also tells whether the caller is still who they were, so it may be called again; once it is stored it must not be,
 * and what is left is to be done with the function given back: the answer, 201 with the new row.
 */
export async function create({ services, entity, caller, request }: Call, sent: Sent): Promise<() => Promise<Answer>> {
  may(caller, `${entity.name}.create`);
  const draft = { services, entity, caller, sent, proves: true };
  const judged = precognition(request);
  if (judged) {
    const answer = await precognized(services.db, entity, (tx) => checked({ ...draft, tx, ...judged }));
    return async () => answer;
  }
  const search = searchOf(request);
  const images = [...sent.images].map(([name, bytes]) => [name, bytes.toString('base64')]);
  const claimed = claimOf(request, { values: withoutPasswords(entity, sent.values), images });
  const told = async (made: Written, found: Found): Promise<Answer> => {
    await tell({ services, entity, caller, action: 'create' }, [made]);
    return created(found);
  };
  if (!claimed && isInsertAlone(draft)) {
    const readers = { made: madeReader(entity, caller, search), row: rowReader(entity, caller, search) };
    const { made, reading } = await explained(entity, () => insertAlone({ ...draft, tx: services.db }, readers));
    return async () => {
      if (reading.status === 'rejected') throw reading.reason;
      return told(made, reading.value);
    };
  }
  // What the query may not ask is refused before anything is stored.
  rowReader(entity, caller, search);
  const done = await transacted(services.db, entity, async (tx) => {
    const earlier = claimed && (await claim(tx, caller.userId, claimed));
    if (earlier) {
      await refuseOtherNow(tx, caller);
      return { earlier };
    }
    const made = await createRow({ ...draft, tx });
    // A row may widen what its creator reaches: then it is read as who they are by now.
    const reading = together(rowReader(entity, { ...caller }, search)(tx, made.id));
    if (claimed) await keep(tx, { userId: caller.userId, key: claimed.key, answer: created(await reading.outcome) });
    return { made, reading };
  });
  return async () => done.earlier ?? told(done.made, await done.reading.outcome);
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
export async function update({ services, entity, caller, request }: Call, { id, sent }: { id: number; sent: Sent }): Promise<Answer & { version?: number }> {
  if (writable(entity, caller, 'edit', id).length === 0) throw Refusal.unauthorized();
  const judged = precognition(request);
  if (judged)
    return precognized(services.db, entity, async (tx) =>
      checked({ services, tx, entity, caller, sent, ...judged, current: await lockRow(tx, entity, caller, { id }) }),
    );
  const read = rowReader(entity, caller, searchOf(request));
  let written: Written[] = [];
  const answer = await transacted(services.db, entity, async (tx) => {
    const current = await lockRow(tx, entity, caller, { id });
    await refuseStale(tx, { entity, caller, request }, current);
    written = await updateRows({ services, tx, entity, caller, sent }, [current]);
    return together(read(tx, id));
  });
  const { data, version } = await answer.outcome;
  await tell({ services, entity, caller, action: 'edit' }, written);
  return { status: 200, body: `{"data":${data}}`, version };
}

/** 204; the row of the bin is gone for good. 409 for one that is not in the bin. */
export async function purge({ services, entity, caller }: Omit<Call, 'request'>, id: number): Promise<void> {
  may(caller, `${entity.name}.delete`);
  mayPurge(caller);
  await transacted(services.db, entity, async (tx) => {
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
export async function remove({ services, entity, caller, request }: Call, id: number): Promise<void> {
  may(caller, `${entity.name}.delete`);
  await transacted(services.db, entity, async (tx) => {
    const current = await lockRow(tx, entity, caller, { id });
    await refuseStale(tx, { entity, caller, request }, current);
    await removeRows({ services, tx, entity, caller, rows: [current] });
  });
  await tell({ services, entity, caller, action: 'delete' }, [{ id, values: {} }]);
}

/** 200 with the row out of the bin. */
export async function restore({ services, entity, caller }: Omit<Call, 'request'>, id: number): Promise<Answer> {
  may(caller, `${entity.name}.delete`);
  const answer = await transacted(
    services.db,
    entity,
    async (tx) => {
      await restoreRows({ services, tx, entity, caller, rows: [await lockRow(tx, entity, caller, { id, trashed: true })] });
      return { status: 200, body: `{"data":${(await rowAnswer(tx, entity, caller, { id })).data}}` };
    },
    () => Refusal.conflict(),
  );
  await tell({ services, entity, caller, action: 'restore' }, [{ id, values: {} }]);
  return answer;
}

/** 412 when `If-Match` names another version than the locked row has. */
async function refuseStale(tx: Queries, { entity, caller, request }: Omit<Call, 'services'>, { id, version }: Stored): Promise<void> {
  const expected = request.headers['if-match'];
  if (expected === undefined || expected === '*' || expected.replace(/^W\//, '').replaceAll('"', '') === String(version)) return;
  const { data } = await rowAnswer(tx, entity, caller, { id });
  throw Refusal.stale(JSON.parse(data));
}

/** Runs `work` in a transaction. */
export const transacted = <T>(db: Database, entity: Entity, work: (tx: Queries) => Promise<T>, taken?: () => Refusal): Promise<T> =>
  explained(entity, () => db.transaction(work), taken);

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
  { services, entity, caller, action }: Omit<Call, 'request'> & { action: keyof typeof types },
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
