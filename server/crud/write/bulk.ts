/** The calls that do something to many rows: named by ids or by a filter, in one transaction, all or nothing. */

import type { Entity } from '../../../schema/dsl/entity';
import { mostUndone } from '../../../schema/shared/bulk';
import { entityNamed } from '../../access/entityModel';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { requireReferences } from '../../http/requireReferences';
import { writableFields } from '../query/fields';
import { withoutReadOnly } from './body';
import { type CurrentRow, lockRows } from './lockRows';
import { publishChanges, publishDeletions } from './publishChanges';
import { purgeRows, requirePurge } from './purge';
import { restoreRows, trashRows } from './remove';
import { RowErrors } from './rowErrors';
import { targetIds } from './targets';
import { inTransaction, type WriteRequest } from './transaction';
import { type OnProgress, updateRows, type WriteResult } from './write';

type Values = Record<string, unknown>;

export interface BulkRequest extends WriteRequest {
  /** What the client sent: which rows, and what to do with them. */
  asked: Values;
  told?: OnProgress;
}

export interface BulkOutcome {
  /** How many rows were meant. */
  count: number;
  /** What brings back what was, as far as it is little enough to be sent again. */
  undo?: Undo;
}

type Undo = { ids: readonly number[] } | { changes: readonly OwnChange[] };

/** A change of one row alone; with a version only if it is still that one. */
interface OwnChange {
  id: number;
  version?: number;
  data: Values;
}

/**
 * Rows that are held, judged and written at a time: no statement grows with the work, and others are answered in
 * between.
 */
const atATime = 500;

/**
 * The same change to every row: `data`, and for lists of links what to `add` and to `remove`, by ids or `{filter}`. Or
 * to every row its own: `changes`.
 */
export async function updateMany({ asked, told, ...call }: BulkRequest): Promise<BulkOutcome> {
  const { services, entity, request } = call;
  const { changes, data, add, remove, ...target } = asked;
  const written: WriteResult[] = [];
  const undo: OwnChange[] = [];
  await inTransaction(call, async (tx, caller) => {
    if (writableFields(entity, caller, 'edit').length === 0) throw ApiError.unauthorized();
    if (changes === undefined && [data, add, remove].every((part) => part === undefined))
      throw ApiError.invalidAt('data', { key: 'required' });
    // A transaction that met another one is done again from its beginning.
    written.length = 0;
    undo.length = 0;
    const own = changes === undefined ? undefined : changesOf(changes, entity);
    const ids = await targetIds(tx, { entity, caller }, own ? { ids: [...own.keys()] } : target);
    const valuesFor = own
      ? (row: CurrentRow) => own.get(row.id)?.data ?? {}
      : await alike(tx, { entity, caller }, { data, add, remove });
    if (own) await refuseNewer(tx, { entity, caller }, { rows: await lockRows(tx, entity, caller, { ids }), own });
    const draft = {
      services,
      tx,
      entity,
      caller,
      sent: { values: {}, images: new Map() },
      seen: new Set<string>(),
      known: new Map<string, unknown>(),
    };
    await inPieces({ tx, entity, caller, ids, told }, async (rows, piece) => {
      const some = await updateRows(draft, rows, {
        sentFor: (row) => ({ values: valuesFor(row), images: new Map() }),
        ...piece,
      });
      written.push(...some);
      if (ids.length <= mostUndone) undo.push(...before(entity, rows, some));
    });
  });
  await publishChanges({ services, entity, caller: request.caller, action: 'edit' }, written);
  return { count: written.length, ...(written.length <= mostUndone && { undo: { changes: undo } }) };
}

interface Who {
  entity: Entity;
  caller: Caller;
}

interface Whole extends Who {
  tx: Queries;
  ids: readonly number[];
  trashed?: boolean;
  told?: OnProgress;
}

/**
 * Does something to rows piece by piece, always in the order of their ids. Once a row has refused, the others are
 * judged only, and at the end all that refused are named.
 */
async function inPieces(
  { tx, entity, caller, ids, trashed, told }: Whole,
  work: (rows: CurrentRow[], piece: { refusals: RowErrors; told?: OnProgress }) => Promise<void>,
): Promise<void> {
  const refusals = new RowErrors({ entity, caller, of: ids.length }, true);
  const ordered = [...ids].sort((a, b) => a - b);
  for (let from = 0; from < ordered.length; from += atATime) {
    const rows = await lockRows(tx, entity, caller, { ids: ordered.slice(from, from + atATime), trashed });
    await work(rows, { refusals, ...(told && { told: (done: number) => told(from + done, ids.length) }) });
  }
  await refusals.throwIfAny(tx);
}

export async function removeMany({ asked, told, ...call }: BulkRequest): Promise<BulkOutcome> {
  const { services, entity, request } = call;
  let ids: number[] = [];
  await inTransaction(call, async (tx, caller) => {
    requirePermission(caller, `${entity.name}.delete`);
    ids = await targetIds(tx, { entity, caller }, asked);
    await inPieces({ tx, entity, caller, ids, told }, (rows, piece) =>
      trashRows({ services, tx, entity, caller, rows, ...piece }),
    );
  });
  await publishChanges({ services, entity, caller: request.caller, action: 'delete' }, ids.map(sole));
  return { count: ids.length, ...(ids.length <= mostUndone && { undo: { ids } }) };
}

/** Takes rows out of the bin, or removes them for good. */
export async function purgeOrRestoreMany({
  asked,
  told,
  how,
  ...call
}: BulkRequest & { how: 'restore' | 'remove' }): Promise<BulkOutcome> {
  const { services, entity, request } = call;
  let ids: number[] = [];
  const act = how === 'restore' ? restoreRows : purgeRows;
  await inTransaction(
    call,
    async (tx, caller) => {
      requirePermission(caller, `${entity.name}.delete`);
      if (how === 'remove') requirePurge(caller);
      ids = await targetIds(tx, { entity, caller, trashed: true }, asked);
      await inPieces({ tx, entity, caller, ids, trashed: true, told }, (rows, piece) =>
        act({ services, tx, entity, caller, rows, ...piece }),
      );
    },
    () => ApiError.conflict(),
  );
  if (how === 'remove') {
    await publishDeletions({ services, entity }, ids);
    return { count: ids.length };
  }
  await publishChanges({ services, entity, caller: request.caller, action: 'restore' }, ids.map(sole));
  return { count: ids.length, ...(ids.length <= mostUndone && { undo: { ids } }) };
}

const sole = (id: number): WriteResult => ({ id, values: {} });

/** The values for each row where all get the same. */
async function alike(
  tx: Queries,
  { entity, caller }: Who,
  { data, add, remove }: Values,
): Promise<(row: CurrentRow) => Values> {
  const same = data === undefined ? {} : tableOf(data, 'data');
  refuseUnknown(entity, same);
  const [more, less] = [
    await linksOf(tx, { entity, caller }, add, 'add'),
    await linksOf(tx, { entity, caller }, remove, 'remove'),
  ];
  const names = [...new Set([...more.keys(), ...less.keys()])];
  return (row) => ({
    ...same,
    ...Object.fromEntries(
      names.map((name) => {
        const kept = ((row[name] as number[] | null) ?? []).filter((id) => !less.get(name)?.has(id));
        return [name, [...new Set([...kept, ...(more.get(name) ?? [])])]];
      }),
    ),
  });
}

/** Ids by field of links; rows meant by a filter are found as for any bulk work. */
async function linksOf(
  tx: Queries,
  { entity, caller }: Who,
  given: unknown,
  part: 'add' | 'remove',
): Promise<Map<string, Set<number>>> {
  const found = new Map<string, Set<number>>();
  if (given === undefined) return found;
  for (const [name, target] of Object.entries(tableOf(given, part))) {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
    if (field?.kind !== 'refs') throw ApiError.invalidAt(name, { key: 'unknown' }, entity.name);
    const meant = Array.isArray(target) ? { ids: target } : tableOf(target, name);
    if (part === 'add') requireReferences(entity.fields, { [name]: meant.ids });
    const ids = await targetIds(tx, { entity: entityNamed(field.to as string), caller }, meant);
    if (part === 'add') requireReferences(entity.fields, { [name]: ids });
    found.set(name, new Set(ids));
  }
  return found;
}

/** What no row could take is refused once, not by every row. */
function refuseUnknown(entity: Entity, values: Values): void {
  requireReferences(entity.fields, values);
  const unknown = Object.keys(withoutReadOnly(entity, values)).filter((name) => !Object.hasOwn(entity.fields, name));
  if (unknown.length > 0)
    throw ApiError.invalid(new Map(unknown.map((name) => [name, [{ key: 'unknown' }]])), entity.name);
}

function tableOf(given: unknown, field: string): Values {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw ApiError.invalidAt(field, { key: 'required' });
  return given as Values;
}

function changesOf(given: unknown, { fields }: Entity): Map<number, OwnChange> {
  if (!Array.isArray(given)) throw ApiError.invalidAt('changes', { key: 'list' });
  const changes = given.map((one) => tableOf(one, 'changes') as unknown as OwnChange);
  for (const { data } of changes) requireReferences(fields, tableOf(data, 'data'));
  return new Map(changes.map((change) => [change.id, change]));
}

/** Rows that are no longer as the change goes out from. */
async function refuseNewer(
  tx: Queries,
  who: Who,
  { rows, own }: { rows: readonly CurrentRow[]; own: ReadonlyMap<number, OwnChange> },
): Promise<void> {
  const refusals = new RowErrors({ ...who, of: rows.length });
  for (const { id, version } of rows) {
    const expected = own.get(id)?.version;
    if (expected !== undefined && expected !== version) refusals.add(id, ApiError.conflict('stale'));
  }
  await refusals.throwIfAny(tx);
}

/** What the changed rows held before. */
function before(entity: Entity, rows: readonly CurrentRow[], written: readonly WriteResult[]): OwnChange[] {
  const stored = new Map(rows.map((row) => [row.id, row]));
  return written.flatMap(({ id, values }) => {
    const row = stored.get(id);
    const names = Object.keys(values).filter(
      (name) => !['password', 'image', 'records'].includes(entity.fields[name]?.kind ?? ''),
    );
    return row && names.length > 0
      ? [{ id, version: row.version + 1, data: Object.fromEntries(names.map((name) => [name, row[name] ?? null])) }]
      : [];
  });
}
