/** Rules that watch the machines of a saved view: its filters as they stand now, asked within the client whose rule it is. */
import { type SQL, sql } from 'drizzle-orm';
import { codesOf, entities, registry } from '../../schema/index';
import type { Caller } from '../api/caller';
import { viewSql } from '../api/entity/view';
import { Sketch } from '../api/model';
import type { Queries } from '../db/database';
import { everything } from './planned';

const codes = new Set(entities.flatMap(codesOf));

/** Whoever chose the view could ask all of it; how far it reaches is the client's own. */
export const ofClient = (client: number): Caller => ({
  ...everything,
  permissions: codes,
  scopes: new Set(['client']),
  links: { ...everything.links, client },
});

/** Whether machine `m` is among those that the filters of a view find; none is where the view asks for what there is no more. */
const inView = (query: string | null, client: number, sketch: Sketch): SQL =>
  viewSql(registry.machines, { query, caller: ofClient(client), sketch }) ?? sql`false`;

/** The same for rule `r`, which may watch no view at all. */
export async function viewedNow(db: Queries): Promise<SQL> {
  const used = await db.rows<{ view_id: number; client_id: number; query: string | null }>(sql`
    select distinct r.view_id, r.client_id, v.query from alert_rules r join saved_views v on v.id = r.view_id
    where r.is_active and r.deleted_at is null and v.resource = 'machines' order by 1, 2`);
  const sketch = new Sketch('viewed');
  const each = used.map(
    ({ view_id, client_id, query }) => sql`(r.view_id = ${view_id}::int and r.client_id = ${client_id}::int and ${inView(query, client_id, sketch)})`,
  );
  return sql`(${sql.join([sql`r.view_id is null`, ...each], sql` or `)})`;
}

/** The same for a rule that is not saved yet. */
export async function viewedBy(db: Queries, { view_id, client_id }: { view_id: number | null; client_id: number }): Promise<SQL> {
  if (view_id === null) return sql`true`;
  const view = await db.one<{ query: string | null }>(sql`select query from saved_views where id = ${view_id}::int and resource = 'machines'`);
  return view ? inView(view.query, client_id, new Sketch('viewed')) : sql`false`;
}
