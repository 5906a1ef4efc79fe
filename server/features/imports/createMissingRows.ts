/** Creates rows for names that match no row, if a row of that entity needs nothing but a name. */
import { problemOf } from '../../../schema/dsl/checks';
import type { Field } from '../../../schema/dsl/field';
import { createRow } from '../../crud/write/rowWrites';
import type { Queries } from '../../db/core/database';
import type { ImportContext, ImportDraft } from './importContext';
import { referencedEntity, splitNames } from './references';

/** Whether the commit creates a row for a missing name of the field. */
export function isCreatableName(context: ImportContext, field: string, name: string): boolean {
  if (!context.creatableFields.has(field)) return false;
  const target = referencedEntity(context.entity, context.entity.fields[field] as Field);
  return problemOf(target.fields[target.title] as Field, name.trim()) === undefined;
}

/** Creates a row for each missing name, so that references find it. Names that differ in case only share a row. */
export async function createMissingRows(
  context: ImportContext,
  tx: Queries,
  drafts: readonly ImportDraft[],
): Promise<void> {
  const { services, caller, entity } = context;
  for (const field of context.creatableFields) {
    const finder = context.finders.get(field);
    if (!finder) continue;
    const target = referencedEntity(entity, entity.fields[field] as Field);
    const isList = entity.fields[field]?.kind === 'refs';
    const cells = drafts.flatMap(({ names }) => names.get(field) ?? []);
    const names = cells.flatMap((cell) => (isList && finder.candidates(cell).length === 0 ? splitNames(cell) : [cell]));
    const missingNames = new Map<string, string>();
    for (const name of names)
      if (finder.candidates(name).length === 0 && isCreatableName(context, field, name)) {
        const key = name.trim().toLowerCase();
        if (!missingNames.has(key)) missingNames.set(key, name.trim());
      }
    for (const name of missingNames.values()) {
      const body = { values: { [target.title]: name }, images: new Map() };
      const { id } = await createRow({ services, tx, entity: target, caller, body });
      context.createdRows.push({ entity: target.name, id });
    }
    finder.forgetEmpty();
    await finder.load(tx, [...cells, ...names]);
  }
}
