/** Saved views as questions: their filters as they stand at that moment, for whoever may ask them. */
import { sql } from 'drizzle-orm';
import type { Entity } from '../../../schema/dsl/entity';
import { readListQuery } from '../../../schema/dsl/query';
import type { View } from '../../../schema/entities/saved_views';
import { registry } from '../../../schema/index';
import type { Queries } from '../../db/database';
import { type Caller, holds } from '../caller';
import { Refusal } from '../errors';
import { living, Sketch } from '../model';
import { within } from '../scope';
import { filterSql } from './filter';

const m = sql.raw('m');

/** A view that the caller may open. */
export const viewFor = async (db: Queries, caller: Caller, id: number): Promise<View | undefined> =>
  holds(caller, 'saved_views.list')
    ? db.one<View>(
        sql`select m.id, m.name, m.resource, m.query, m.columns, m.widths from saved_views m where m.id = ${id}::int and ${living(m)} and ${within(registry.saved_views, caller, m)}`,
      )
    : undefined;

/** The condition of a view's filters on alias `m`; `undefined` where they ask for what the caller may not ask, or for what there is no more. */
export function viewSql(entity: Entity, { query, caller, sketch = new Sketch('viewed') }: { query: string | null; caller: Caller; sketch?: Sketch }) {
  try {
    return filterSql(entity, { caller, filter: readListQuery(query ?? '').filter, row: m, sketch });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether the caller may ask for what the filters of a view ask for. */
export const mayAsk = (entity: Entity, caller: Caller, query: string | null): boolean => viewSql(entity, { query, caller }) !== undefined;
