/** SQL conditions of rules that watch the machines of a saved view: its current filters, within the rule's client. */
import { type SQL, sql } from 'drizzle-orm';
import { codesOf } from '../../../schema';
import { QueryContext } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import { viewFilterWhere } from '../../crud/read/savedViewFilter';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { clientZoneSql } from '../../telemetry/timeline/days';
import { systemCaller } from './plannedCleaning';

/**
 * Creates a caller with the scope of a client. Permissions are unlimited, because the user who chose the view was
 * allowed to use all its filters. `timeZone` applies to relative days.
 */
export const clientCaller = (model: EntityModel, client: number, timeZone?: string): Caller => ({
  ...systemCaller,
  timeZone,
  permissions: new Set(model.entities.flatMap(codesOf)),
  scopes: new Set(['client']),
  links: { ...systemCaller.links, client },
});

/**
 * SQL condition: machine `m` matches the filters of the view; false if the view uses something that no longer exists.
 */
const matchesViewWhere = (model: EntityModel, { query, client_id, zone }: ViewRequest, context: QueryContext): SQL =>
  viewFilterWhere(model.require('machines'), { query, caller: clientCaller(model, client_id, zone), context }) ??
  sql`false`;

const viewRequestShape = {
  query: pg.text.nullable,
  client_id: pg.integer,
  zone: pg.text,
};
type ViewRequest = RowOf<typeof viewRequestShape>;

/** SQL condition: machine `m` matches the view of the stored rule `r`, or the rule has none. */
export async function currentViewWhere(db: Queries, model: EntityModel): Promise<SQL> {
  const views = await db.select(
    { query: pg.text.nullable, client_id: pg.integer, zone: pg.text, rules: pg.integer.array },
    sql`
    select v.query, r.client_id, ${clientZoneSql(sql`r`)} as zone, array_agg(r.id) as rules from alert_rules r
    join saved_views v on v.id = r.view_id
    where r.is_active and r.deleted_at is null and v.resource = 'machines' group by v.id, r.client_id, 3
    order by v.id, 2, 3`,
  );
  const context = new QueryContext('viewed');
  const viewConditions = views.map(
    ({ rules, ...view }) => sql`(r.id = any(${sql.param(rules)}::int[]) and ${matchesViewWhere(model, view, context)})`,
  );
  return sql`(${sql.join([sql`r.view_id is null`, ...viewConditions], sql` or `)})`;
}

/** SQL condition: machine `m` matches the view of a rule that is not saved yet, or the rule has none. */
export async function viewWhere(
  db: Queries,
  model: EntityModel,
  { view_id, client_id, location_id }: UnsavedRule,
): Promise<SQL> {
  if (view_id === null) return sql`true`;
  const view = await db.selectOne(
    viewRequestShape,
    sql`
    select v.query, r.client_id, ${clientZoneSql(sql`r`)} as zone
    from saved_views v, (select ${client_id}::int as client_id, ${location_id}::int as location_id) r
    where v.id = ${view_id}::int and v.resource = 'machines'`,
  );
  return view ? matchesViewWhere(model, view, new QueryContext('viewed')) : sql`false`;
}

interface UnsavedRule {
  view_id: number | null;
  client_id: number;
  location_id: number | null;
}
