/** SQL of the sums of fleets (`server/db/schema/fleetSums.ts`), and folding changes into them. */
import { type SQL, sql } from 'drizzle-orm';
import { QueryContext } from '../../access/entityModel';
import { scopePathsOf, scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { ModelEntity } from '../../context/services';
import type { Database } from '../../db/core/database';
import { runAmounts, runDayColumns } from '../../db/core/runAmounts';
import { tryAdvisoryLock } from '../../db/core/tryAdvisoryLock';

/**
 * SQL condition on a row `m` of sums: its machines are within the caller's scope. `undefined` if the caller is linked
 * to single machines, because the sum of a location may then contain machines outside of the scope.
 */
export function fleetSumsWhere(machines: ModelEntity, caller: Caller): SQL | undefined {
  const { scope } = machines;
  if (typeof scope === 'string') return undefined;
  if (scopePathsOf(scope, caller).some(({ to, ids }) => to === 'machines' && ids.length > 0)) return undefined;
  return scopeWhere(machines, caller, sql.raw('m'), new QueryContext(), true);
}

const workColumns = sql.raw('fleet_id, location_id, day, cleaning, robotic, manual, area_m2, reported_area_m2');

/**
 * SQL: rows `(fleet_id, location_id, day, cleaning, robotic, manual, area_m2, reported_area_m2)` of the given days, to
 * be added up.
 */
export const fleetDaysSql = (from: SQL, to: SQL): SQL => sql`
  select ${workColumns} from fleet_days where day between ${from} and ${to}
  union all select ${workColumns} from fleet_day_changes where day between ${from} and ${to}`;

/** SQL: rows `(fleet_id, type_id, day, cleaning)` of the given days, to be added up. */
export const typeDaysSql = (from: SQL, to: SQL): SQL => sql`
  select fleet_id, type_id, day, cleaning from type_days where day between ${from} and ${to}
  union all select fleet_id, type_id, day, cleaning from fleet_day_changes where day between ${from} and ${to}`;

/** SQL: rows of `run_days` of the given days, to be added up. */
export const runDaysSql = (from: SQL, to: SQL): SQL => sql`
  select ${sql.raw(runDayColumns)} from run_days where day between ${from} and ${to}
  union all select ${sql.raw(runDayColumns)} from run_day_changes where day between ${from} and ${to}`;

const foldRunDays = sql.raw(`
  with removed as (delete from run_day_changes returning *)
  insert into run_days as at (${runDayColumns})
  select day, fleet_id, location_id, ${runAmounts.map((name) => `sum(${name})`).join(', ')} from removed
  group by 1, 2, 3
  on conflict (day, fleet_id, location_id) do update set
  ${runAmounts.map((name) => `${name} = at.${name} + excluded.${name}`).join(', ')}`);

const stateGroupColumns = sql.raw('fleet_id, location_id, is_dummy, status, cell');

/**
 * Folds changes into the sums, which leaves their total the same at every moment. Does nothing if another process is
 * folding.
 */
export async function foldFleetSums(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await tryAdvisoryLock(tx, 'fleetSums'))) return;
    await tx.rows(sql`
      with removed as (delete from fleet_day_changes returning *),
      type_sums as (
        insert into type_days as at (fleet_id, type_id, day, cleaning)
        select fleet_id, type_id, day, sum(cleaning) from removed group by 1, 2, 3
        on conflict (day, fleet_id, type_id) do update set cleaning = at.cleaning + excluded.cleaning
      )
      insert into fleet_days as at (${workColumns})
      select fleet_id, location_id, day, sum(cleaning), sum(robotic), sum(manual), sum(area_m2), sum(reported_area_m2)
      from removed group by 1, 2, 3
      on conflict (day, fleet_id, location_id) do update set cleaning = at.cleaning + excluded.cleaning,
      robotic = at.robotic + excluded.robotic, manual = at.manual + excluded.manual,
      area_m2 = at.area_m2 + excluded.area_m2,
      reported_area_m2 = at.reported_area_m2 + excluded.reported_area_m2`);
    await tx.rows(sql`
      with removed as (
        delete from fleet_states where id in (
          select unnest(array_agg(id)) from fleet_states group by ${stateGroupColumns} having count(*) > 1)
        returning *
      )
      insert into fleet_states (${stateGroupColumns}, machines)
      select ${stateGroupColumns}, sum(machines) from removed group by ${stateGroupColumns} having sum(machines) <> 0`);
    await tx.rows(foldRunDays);
  });
}
