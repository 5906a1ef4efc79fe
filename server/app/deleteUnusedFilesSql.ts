/** Deletes uploaded files that no row references. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../schema/dsl/entity';
import { stateTable, storedFields } from '../db/core/names';
import { pictureName } from '../files/images';
import { entityHooks } from './entityHooks';

/**
 * Statements that delete files unused for a day, in execution order. Soft-deleted rows still use their files, because
 * they can be restored. The day of grace is for open forms, which may still send the name of a file replaced meanwhile.
 */
export function deleteUnusedFilesSql(entities: readonly Entity[]): SQL[] {
  const isUsed = sql`exists (select from (${sql.join(entities.flatMap(fileNameQueries), sql` union all `)}) used (name)
    where used.name = f.name)`;
  return [
    sql`update files f set unused_since = null where unused_since is not null and ${isUsed}`,
    sql`update files f set unused_since = now() where unused_since is null and not ${isUsed}`,
    sql`delete from files f where unused_since < now() - interval '24 hours' and not ${isUsed}`,
  ];
}

/**
 * Queries for the names of files that rows of an entity reference. An image given as a URL may be one of our files,
 * too.
 */
function fileNameQueries(entity: Entity): SQL[] {
  const files = entityHooks[entity.name]?.files;
  const pictures = (table: string, store: 'row' | 'state') =>
    storedFields(entity, store)
      .filter((field) => entity.fields[field]?.kind === 'image')
      .map(
        (field) =>
          sql`select substring(${sql.identifier(field)} from ${sql.raw(`'${pictureName}'`)})
            from ${sql.identifier(table)}`,
      );
  return [...pictures(entity.name, 'row'), ...pictures(stateTable(entity.name), 'state'), ...(files ? [files] : [])];
}
