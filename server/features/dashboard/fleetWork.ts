/** SQL: daily work of the machines in a caller's list, from sums of fleets if they cover exactly these machines. */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { QueryContext } from '../../access/entityModel';
import { scopePathsOf } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { countedDaysSql } from '../../telemetry/timeline/days';
import { fleetDaysSql, fleetSumsWhere, typeDaysSql } from '../locations/fleetSums';

export interface FleetWorkRequest {
  model: EntityModel;
  caller: Caller;
  /** Local days, inclusive. */
  from: SQL;
  to: SQL;
}

/** SQL condition: machine `m` is in the caller's list and no dummy. */
export function countedMachinesWhere({ model, caller }: Pick<FleetWorkRequest, 'model' | 'caller'>): SQL {
  if (!hasPermission(caller, 'machines.list')) return sql`false`;
  const query = { ...parseListQuery(''), filter: [{ path: 'is_dummy', values: ['false'] }] };
  return matchWhere({ entity: model.require('machines'), caller, query }, new QueryContext());
}

/** SQL: rows `(fleet_id, location_id, day, cleaning, robotic, manual, area_m2, reported_area_m2)`, to be added up. */
export function workDaysSql({ model, caller, from, to }: FleetWorkRequest): SQL {
  const scope = hasPermission(caller, 'machines.list') ? fleetSumsWhere(model.require('machines'), caller) : sql`false`;
  return scope
    ? sql`select m.* from (${fleetDaysSql(from, to)}) m where ${scope}`
    : sql`select m.fleet_id, coalesce(m.location_id, 0) as location_id, d.day, d.cleaning, d.robotic, d.manual,
        d.area_m2, d.reported_area_m2
      from machines m join ${countedDaysSql} d on d.machine_id = m.id and d.day between ${from} and ${to}
      where ${countedMachinesWhere({ model, caller })}`;
}

/** SQL: rows `(type_id, day, cleaning)`, to be added up; `type_id` is 0 for custom types. */
export function typeWorkSql({ model, caller, from, to }: FleetWorkRequest): SQL {
  const machines = model.require('machines');
  const { scope } = machines;
  const hasSites =
    typeof scope !== 'string' && scopePathsOf(scope, caller).some((path) => path.to === 'locations' && path.ids.length);
  const scopeSql = hasPermission(caller, 'machines.list') ? fleetSumsWhere(machines, caller) : sql`false`;
  // The sums by type cannot be limited to sites.
  return scopeSql && !hasSites
    ? sql`select m.type_id, m.day, m.cleaning from (${typeDaysSql(from, to)}) m where ${scopeSql}`
    : sql`select coalesce(m.type_id, 0) as type_id, d.day, d.cleaning
      from machines m join ${countedDaysSql} d on d.machine_id = m.id and d.day between ${from} and ${to}
      where ${countedMachinesWhere({ model, caller })}`;
}
