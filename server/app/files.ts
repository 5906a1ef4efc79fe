/** Uploaded files that nothing names any more: pictures that others took the place of. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../schema/dsl/entity';
import { stateTable, stored } from '../db/core/names';
import { pictureName } from '../files/images';
import { entityServers } from './index';

/**
 * Statements that remove files which were unused for a day, to be run in this order. Rows in the bin count as users,
 * since they can be restored. A day, because a form that was opened before may still send back the name of the picture
 * that was replaced meanwhile.
 */
export function unusedFiles(entities: readonly Entity[]): SQL[] {
  const isUsed = sql`exists (select from (${sql.join(entities.flatMap(namesIn), sql` union all `)}) used (name)
    where used.name = f.name)`;
  return [
    sql`update files f set unused_since = null where unused_since is not null and ${isUsed}`,
    sql`update files f set unused_since = now() where unused_since is null and not ${isUsed}`,
    sql`delete from files f where unused_since < now() - interval '24 hours' and not ${isUsed}`,
  ];
}

/** Queries of the names that rows of an entity hold. A picture given as an address may be one of ours. */
function namesIn(entity: Entity): SQL[] {
  const files = entityServers[entity.name]?.files;
  const pictures = (table: string, store: 'row' | 'state') =>
    stored(entity, store)
      .filter((field) => entity.fields[field]?.kind === 'image')
      .map(
        (field) =>
          sql`select substring(${sql.identifier(field)} from ${sql.raw(`'${pictureName}'`)})
            from ${sql.identifier(table)}`,
      );
  return [...pictures(entity.name, 'row'), ...pictures(stateTable(entity.name), 'state'), ...(files ? [files] : [])];
}
