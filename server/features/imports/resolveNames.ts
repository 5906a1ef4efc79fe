/** References of import rows: names become ids, and every id must be visible to the importer. */
import { sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { notDeleted, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { createMissingRows } from './createMissingRows';
import type { CellProblem, ColumnMapping, ImportContext, ImportDraft } from './importContext';
import { isId } from './matchCurrent';
import type { Candidate, NameFinder } from './references';
import { referencedEntity } from './references';

/** Replaces names by ids. With `writes` it adds missing rows where allowed. */
export async function resolveNames(
  work: ImportContext,
  db: Queries,
  drafts: readonly ImportDraft[],
  writes: boolean,
): Promise<void> {
  const byName = work.fillings.filter((filling) => filling.byName);
  for (const { field } of byName) {
    const isList = work.entity.fields[field]?.kind === 'refs';
    const names = drafts.flatMap(({ names }) => {
      const name = names.get(field);
      return name === undefined ? [] : isList ? [name, ...pieces(name)] : [name];
    });
    await (work.finders.get(field) as NameFinder).ask(db, names);
  }
  // Ambiguous names are decided by the row's other references, so fields without shared references go first.
  const clearFirst = [...byName].sort((a, b) => sharedCount(work, a) - sharedCount(work, b));
  if (writes && work.adding.size > 0) await createMissingRows(work, db, drafts);
  for (const draft of drafts) for (const filling of clearFirst) resolve(work, draft, filling);
}

const sharedCount = (work: ImportContext, { field }: ColumnMapping) =>
  Object.values(referencedEntity(work.entity, work.entity.fields[field] as Field).fields).filter(
    ({ kind }) => kind === 'ref',
  ).length;
const pieces = (names: string) => names.split(',').map((name) => name.trim());

function resolve(work: ImportContext, draft: ImportDraft, { field, index }: ColumnMapping): void {
  const names = draft.names.get(field);
  if (names === undefined) return;
  draft.names.delete(field);
  const finder = work.finders.get(field) as NameFinder;
  const one = (name: string): number | undefined => {
    const found = narrowed(finder.candidates(name), draft.values);
    if (found.length === 1) return found[0]?.id;
    if (found.length > 1) draft.unclear.push({ field, name, among: found.map(({ id }) => id) });
    else {
      work.miss(field, name.trim());
      if (!work.adding.has(field)) draft.problems.push(strange('import_no_such_name', name, { field, index }));
      else draft.awaited.add(field);
    }
    return undefined;
  };
  if (work.entity.fields[field]?.kind === 'ref') draft.values[field] = one(names);
  else {
    const whole = narrowed(finder.candidates(names), draft.values);
    const list = whole.length === 1 ? [names] : pieces(names).filter((name) => name !== '');
    draft.values[field] = [...new Set(list.map(one))].filter((id) => id !== undefined);
  }
}

const strange = (
  text: 'import_no_such_name' | 'import_ambiguous_name',
  name: string,
  { field, index }: Pick<ColumnMapping, 'field' | 'index'>,
): CellProblem => ({
  column: index,
  field,
  problem: { text, values: { found: name.slice(0, 120) } },
});

/** A name of several rows is fine if the row already refers to one of them; otherwise it is ambiguous. */
export function settleUnclear(
  { entity, fillings }: ImportContext,
  { unclear, values, problems, current }: ImportDraft,
): void {
  for (const { field, name, among } of unclear) {
    const [stands, second] = [current?.[field]].flat().filter((id) => among.includes(id as number));
    const index = fillings.find((filling) => filling.field === field)?.index ?? null;
    if (stands === undefined || second !== undefined)
      problems.push(strange('import_ambiguous_name', name, { field, index }));
    else values[field] = entity.fields[field]?.kind === 'refs' ? [...(values[field] as number[]), stands] : stands;
  }
}

/** Of several rows with the same name, those that fit the row's other references. */
function narrowed(candidates: readonly Candidate[], values: Record<string, unknown>): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  return candidates.filter(({ shared }) =>
    Object.entries(shared).every(([name, id]) => values[name] === undefined || values[name] === id),
  );
}

/** Invisible ids are problems, as in a form. With `lock` the referenced rows stay until the transaction ends. */
export async function resolveIds(
  work: ImportContext,
  db: Queries,
  drafts: readonly ImportDraft[],
  lock: boolean,
): Promise<void> {
  for (const { field: name, index } of work.fillings) {
    const field = work.entity.fields[name] as Field;
    if (name === 'id' || (field.kind !== 'ref' && field.kind !== 'refs')) continue;
    const target = referencedEntity(work.entity, field);
    const seen = work.seen.get(target.name) ?? new Map<number, boolean>();
    work.seen.set(target.name, seen);
    const idsOf = ({ values }: ImportDraft) => [values[name]].flat().filter(isId);
    const open = [...new Set(drafts.flatMap(idsOf))].filter((id) => !seen.has(id)).sort((a, b) => a - b);
    if (open.length > 0) {
      const m = sql.raw('m');
      const rows = await db.select(
        { id: pg.integer },
        sql`select m.id from ${table(target)} m where m.id = any(${sql.param(open)}::int[]) and ${notDeleted(m)}
          and ${scopeWhere(target, work.caller, m)} order by m.id${lock ? sql` for key share of m` : sql``}`,
      );
      const found = new Set(rows.map(({ id }) => id));
      for (const id of open) seen.set(id, found.has(id));
    }
    for (const draft of drafts)
      if (idsOf(draft).some((id) => !seen.get(id)))
        draft.problems.push({ column: index, field: name, problem: { key: 'exists' } });
  }
}
