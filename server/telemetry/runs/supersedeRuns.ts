/** Decides which runs count, and which are superseded by reported or entered ones. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { findSupersededRuns } from './findSupersededRuns';

/** Locks the machines for changes of their runs, so that reports and derived runs see each other. */
export const lockRunsOf = (tx: Queries, machineIds: readonly number[]): Promise<unknown> =>
  tx.rows(
    sql`select id from machines_state where id = any(${sql.param([...machineIds])}::int[]) order by id for update`,
  );

/** Prefix of the external id of order runs, which distinguishes them from reports. */
export const orderPrefix = 'vda5050 ';

/**
 * Sets `superseded_by` of the machines' runs: for reported and entered runs by `findSupersededRuns`, for derived ones
 * to the counting reported or entered run with the longest overlap. Returns the ids of changed runs.
 */
export async function supersedeRuns(tx: Queries, machineIds: readonly number[]): Promise<number[]> {
  await lockRunsOf(tx, machineIds);
  const rivals = await supersedeRivals(tx, machineIds);
  const changed = await tx.select(
    { id: pg.integer },
    sql`
    update runs d set superseded_by = x.by from (
      select d.id, (select r.id from runs r where r.machine_id = d.machine_id and r.source <> 'derived'
        and r.deleted_at is null and r.superseded_by is null
        and r.started_at < d.ended_at and r.ended_at > d.started_at
        and r.started_at >= d.started_at - interval '31 days'
        order by least(r.ended_at, d.ended_at) - greatest(r.started_at, d.started_at) desc, r.id limit 1) as by
      from runs d where d.machine_id = any(${sql.param([...machineIds])}::int[]) and d.source = 'derived'
      and d.deleted_at is null
    ) x where d.id = x.id and d.superseded_by is distinct from x.by returning d.id`,
  );
  return [...rivals, ...changed.map(({ id }) => id)];
}

const rivalShape = {
  id: pg.integer,
  machine_id: pg.integer,
  source: pg.text,
  from: pg.double,
  to: pg.double,
  external_id: pg.text.nullable,
  has_area: pg.boolean,
};

/** Reads only runs that overlap another one now, or did before: few of all. */
async function supersedeRivals(tx: Queries, machineIds: readonly number[]): Promise<number[]> {
  const rows = await tx.select(
    rivalShape,
    sql`
    select id, machine_id, source, extract(epoch from started_at)::float8 as "from",
      extract(epoch from ended_at)::float8 as "to", external_id, cleaned_area_m2 is not null as has_area
    from (
      select r.*, max(ended_at) over (partition by machine_id order by started_at, id
          rows between unbounded preceding and 1 preceding) as earlier,
        lead(started_at) over (partition by machine_id order by started_at, id) as next
      from runs r where machine_id = any(${sql.param([...machineIds])}::int[]) and source <> 'derived'
        and deleted_at is null
    ) run where started_at < earlier or next < ended_at or superseded_by is not null`,
  );
  if (rows.length === 0) return [];
  const rivals = rows.map(({ machine_id: machine, external_id: externalId, has_area: hasArea, ...run }) => {
    const isOrder = run.source === 'reported' && (externalId?.startsWith(orderPrefix) ?? false);
    return { ...run, machine, externalId, hasArea, isOrder };
  });
  const superseded = findSupersededRuns(rivals);
  const changed = await tx.select(
    { id: pg.integer },
    sql`
    update runs r set superseded_by = x.by
    from unnest(${sql.param(rows.map(({ id }) => id))}::int[],
      ${sql.param(rows.map(({ id }) => superseded.get(id) ?? null))}::int[]) as x(id, by)
    where r.id = x.id and r.superseded_by is distinct from x.by returning r.id`,
  );
  return changed.map(({ id }) => id);
}
