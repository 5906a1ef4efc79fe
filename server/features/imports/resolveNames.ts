/** Resolves references of import rows: names become ids, and the importer must be able to see every id. */
import { sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { notDeleted, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { createMissingRows, isCreatableName } from './createMissingRows';
import { truncateText } from './importCell';
import type { CellProblem, ColumnMapping, ImportContext, ImportDraft } from './importContext';
import { isId } from './matchCurrent';
import type { Candidate, NameFinder } from './references';
import { referencedEntity, splitNames } from './references';

/** Replaces names by ids. With `writes`, creates missing rows where that is allowed. */
export async function resolveNames(
  context: ImportContext,
  db: Queries,
  drafts: readonly ImportDraft[],
  writes: boolean,
): Promise<void> {
  const nameMappings = context.mappings.filter((mapping) => mapping.isByName);
  for (const { field } of nameMappings) {
    const isList = context.entity.fields[field]?.kind === 'refs';
    const names = drafts.flatMap(({ names }) => {
      const name = names.get(field);
      return name === undefined ? [] : isList ? [name, ...splitNames(name)] : [name];
    });
    await (context.finders.get(field) as NameFinder).load(db, names);
  }
  // The row's other references decide between ambiguous names, so fields with the fewest references come first.
  const sortedMappings = [...nameMappings].sort((a, b) => referenceCount(context, a) - referenceCount(context, b));
  if (writes && context.creatableFields.size > 0) await createMissingRows(context, db, drafts);
  for (const draft of drafts) for (const mapping of sortedMappings) resolveDraftNames(context, draft, mapping);
}

const referenceCount = (context: ImportContext, { field }: ColumnMapping) =>
  Object.values(referencedEntity(context.entity, context.entity.fields[field] as Field).fields).filter(
    ({ kind }) => kind === 'ref',
  ).length;

function resolveDraftNames(context: ImportContext, draft: ImportDraft, { field, index }: ColumnMapping): void {
  const names = draft.names.get(field);
  if (names === undefined) return;
  draft.names.delete(field);
  const finder = context.finders.get(field) as NameFinder;
  const resolveOne = (name: string): number | undefined => {
    const candidates = narrowCandidates(finder.candidates(name), draft.values);
    if (candidates.length === 1) return candidates[0]?.id;
    if (candidates.length > 1) draft.ambiguous.push({ field, name, ids: candidates.map(({ id }) => id) });
    else {
      context.recordMissing(field, name.trim());
      if (isCreatableName(context, field, name)) draft.pendingReferences.add(field);
      else draft.problems.push(cellProblem('import_no_such_name', name, { field, index }));
    }
    return undefined;
  };
  if (context.entity.fields[field]?.kind === 'ref') draft.values[field] = resolveOne(names);
  else {
    const exactMatches = narrowCandidates(finder.candidates(names), draft.values);
    const list = exactMatches.length === 1 ? [names] : splitNames(names);
    draft.values[field] = [...new Set(list.map(resolveOne))].filter((id) => id !== undefined);
  }
}

const cellProblem = (
  text: 'import_no_such_name' | 'import_ambiguous_name',
  name: string,
  { field, index }: Pick<ColumnMapping, 'field' | 'index'>,
): CellProblem => ({
  column: index,
  field,
  problem: { text, values: { found: truncateText(name, 120) } },
});

/** Resolves an ambiguous name if the row already refers to exactly one of the rows; otherwise reports a problem. */
export function resolveAmbiguous(
  { entity, mappings }: ImportContext,
  { ambiguous, values, problems, current }: ImportDraft,
): void {
  for (const { field, name, ids } of ambiguous) {
    const [currentId, secondId] = [current?.[field]].flat().filter((id) => ids.includes(id as number));
    const index = mappings.find((mapping) => mapping.field === field)?.index ?? null;
    if (currentId === undefined || secondId !== undefined)
      problems.push(cellProblem('import_ambiguous_name', name, { field, index }));
    else
      values[field] = entity.fields[field]?.kind === 'refs' ? [...(values[field] as number[]), currentId] : currentId;
  }
}

/** Returns those of several candidates that agree with the import row's other references. */
function narrowCandidates(candidates: readonly Candidate[], values: Record<string, unknown>): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  return candidates.filter(({ sharedValues }) =>
    Object.entries(sharedValues).every(([name, id]) => values[name] === undefined || values[name] === id),
  );
}

/**
 * Reports references to rows that the importer may not see as problems, as in a form. With `lock`, the referenced rows
 * cannot be deleted until the transaction ends.
 */
export async function resolveIds(
  context: ImportContext,
  db: Queries,
  drafts: readonly ImportDraft[],
  lock: boolean,
): Promise<void> {
  for (const { field: name, index } of context.mappings) {
    const field = context.entity.fields[name] as Field;
    if (name === 'id' || (field.kind !== 'ref' && field.kind !== 'refs')) continue;
    const target = referencedEntity(context.entity, field);
    const visibility = context.visibility.get(target.name) ?? new Map<number, boolean>();
    context.visibility.set(target.name, visibility);
    const idsOf = ({ values }: ImportDraft) => [values[name]].flat().filter(isId);
    const uncheckedIds = [...new Set(drafts.flatMap(idsOf))].filter((id) => !visibility.has(id)).sort((a, b) => a - b);
    if (uncheckedIds.length > 0) {
      const m = sql.raw('m');
      const rows = await db.select(
        { id: pg.integer },
        sql`select m.id from ${table(target)} m where m.id = any(${sql.param(uncheckedIds)}::int[]) and ${notDeleted(m)}
          and ${scopeWhere(target, context.caller, m)} order by m.id${lock ? sql` for key share of m` : sql``}`,
      );
      const visibleIds = new Set(rows.map(({ id }) => id));
      for (const id of uncheckedIds) visibility.set(id, visibleIds.has(id));
    }
    for (const draft of drafts)
      if (idsOf(draft).some((id) => !visibility.get(id)))
        draft.problems.push({ column: index, field: name, problem: { key: 'exists' } });
  }
}
