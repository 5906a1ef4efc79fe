/** Creates rows for names that match no row, if a row of that entity needs nothing but a name. */
import { createRow } from '../../crud/write/rowWrites';
import type { Queries } from '../../db/core/database';
import type { ImportContext, ImportDraft } from './importContext';
import { referencedEntity } from './references';

/** Creates each missing row once, so that references find it. */
export async function createMissingRows(
  context: ImportContext,
  tx: Queries,
  drafts: readonly ImportDraft[],
): Promise<void> {
  for (const field of context.creatableFields) {
    const finder = context.finders.get(field);
    const target = referencedEntity(context.entity, context.entity.fields[field] as never);
    if (!finder) continue;
    const names = new Set(
      drafts
        .flatMap(({ names }) => names.get(field)?.trim() ?? [])
        .filter((name) => finder.candidates(name).length === 0),
    );
    for (const name of names) {
      const { services, caller } = context;
      const { id } = await createRow({
        services,
        tx,
        entity: target,
        caller,
        body: { values: { [target.title]: name }, images: new Map() },
      });
      context.createdRows.push({ entity: target.name, id });
    }
    finder.forgetEmpty();
    await finder.load(tx, [...drafts.flatMap(({ names }) => names.get(field) ?? [])]);
  }
}
