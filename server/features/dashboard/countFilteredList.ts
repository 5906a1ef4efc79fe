import { sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { FilteredList } from '../../../schema/features/dashboard';
import { QueryContext, table } from '../../access/entityModel';
import { type Caller, hasPermission } from '../../context/caller';
import type { Services } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { pg } from '../../db/core/rowShape';

/** Returns the number of rows of a list within the caller's scope; 0 if the caller may not list them. */
export async function countFilteredList(
  { db, model }: Services,
  caller: Caller,
  { resource, filter }: FilteredList,
): Promise<number> {
  if (!hasPermission(caller, `${resource}.list`)) return 0;
  const entity = model.require(resource);
  const query = {
    ...parseListQuery(''),
    filter: Object.entries(filter).map(([path, value]) => ({ path, values: String(value).split(',') })),
  };
  const row = await db.selectOne(
    { n: pg.integer },
    sql`select count(*)::int as n from ${table(entity)} m
      where ${matchWhere({ entity, caller, query }, new QueryContext())}`,
  );
  return row?.n ?? 0;
}
