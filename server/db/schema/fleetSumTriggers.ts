/** Triggers that maintain the sums of fleets (fleetSums.ts) for every writer. */
import { mapCellsPerSide } from '../core/mapCellsPerSide';

/** SQL: number of the cell that contains a share (0 to 1) of the map's side. */
const cellAtSql = (share: string) =>
  `floor(greatest(0, least(${mapCellsPerSide - 1}, (${share}) * ${mapCellsPerSide})))::bigint`;
/** SQL: y of Web Mercator, in radians from the equator. The projection has no poles, so latitudes are limited. */
const mercatorYSql = 'ln(tan(pi() / 4 + radians(greatest(-85, least(85, latitude))) / 2))';

/** SQL condition: the sums of days include machine `m`. */
const countedWhere = 'm.deleted_at is null and not m.is_dummy';
const timeline = ['cleaning', 'robotic', 'manual', 'area_m2'];
const workColumns = [...timeline, 'reported_area_m2'];
/** SQL of what counts of a day (`countedDaysSql`). Only areas are decimal: integers add up exactly, and faster. */
const counts: Readonly<Record<string, (row: string) => string>> = {
  cleaning: (row) => `coalesce(${row}.run_cleaning, ${row}.cleaning)`,
  area_m2: (row) => `coalesce(${row}.run_area_m2, ${row}.area_m2)::numeric`,
  reported_area_m2: (row) => `${row}.reported_area_m2::numeric`,
};
/** SQL of what counts of a column of `row`, a row of `machine_days`. */
const countedOf = (row: string) => (name: string) => counts[name]?.(row) ?? `${row}.${name}`;
const sums = workColumns.map((name) => `sum(sign * ${countedOf('d')(name)})`);
const changeColumns = `fleet_id, location_id, type_id, day, ${workColumns.join(', ')}`;
const appendWork = `insert into fleet_day_changes (${changeColumns})
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, ${sums.join(', ')}`;
const group = `group by 1, 2, 3, 4 having ${sums.map((sum) => `${sum} <> 0`).join(' or ')}`;
const appendDaysSql = (rows: string) => `${appendWork} from (${rows}) d join machines m on m.id = d.machine_id
      where ${countedWhere} ${group};`;
const stateColumns = 'fleet_id, location_id, is_dummy, status, cell, machines';
const appendStates = (rows: string) => `insert into fleet_states (${stateColumns})
    select m.fleet_id, coalesce(m.location_id, 0), m.is_dummy, s.status, map_cell(s.latitude, s.longitude), sum(sign)
    from (${rows}) m join machines_state s on s.id = m.id where m.deleted_at is null
    group by 1, 2, 3, 4, 5 having sum(sign) <> 0;`;
const valuesOf = (rows: string) => `(${workColumns.map(countedOf(rows)).join(', ')})`;
const difference = (name: string) =>
  `coalesce(${countedOf('made')(name)}, 0) - coalesce(${countedOf('gone')(name)}, 0) as ${name}`;
/** SQL: days whose sums changed, with the differences. Many writes change other columns only. */
const changedDays = `select machine_id, day, ${workColumns.map(difference).join(', ')},
      null::integer as run_cleaning, null::numeric as run_area_m2, 1 as sign
      from made full join gone using (machine_id, day) where ${valuesOf('made')} is distinct from ${valuesOf('gone')}`;
const signedRows = 'select made.*, 1 as sign from made union all select gone.*, -1 from gone';

const functions = [
  // Web Mercator.
  `create or replace function map_cell(latitude float8, longitude float8) returns bigint
language sql immutable parallel safe as $$
  select case when latitude is not null and longitude is not null then
    ${cellAtSql('longitude / 360 + 0.5')} * ${mapCellsPerSide} + ${cellAtSql(`0.5 - ${mercatorYSql} / (2 * pi())`)} end
$$`,
  `create or replace function sum_machine_days() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    ${appendDaysSql('select made.*, 1 as sign from made')}
  elsif tg_op = 'DELETE' then
    ${appendDaysSql('select gone.*, -1 as sign from gone')}
  else
    ${appendDaysSql(changedDays)}
  end if;
  return null;
end $$`,
  `create or replace function count_made_machines() returns trigger language plpgsql as $$
begin
  ${appendStates('select made.*, 1 as sign from made')}
  return null;
end $$`,
  `create or replace function count_machine_state() returns trigger language plpgsql as $$
begin
  insert into fleet_states (${stateColumns})
    select m.fleet_id, coalesce(m.location_id, 0), m.is_dummy, s.status, s.cell, s.sign
    from machines m, (values (old.status, map_cell(old.latitude, old.longitude), -1),
      (new.status, map_cell(new.latitude, new.longitude), 1)) s(status, cell, sign)
    where m.id = new.id and m.deleted_at is null;
  return null;
end $$`,
  // Locks the side rows, which ingest locks first: what it has stored is visible here, and what it stores later uses
  // the new place.
  `create or replace function move_fleet_sums() returns trigger language plpgsql as $$
declare
  moved integer[] := (select array_agg(made.id) from made join gone on gone.id = made.id
    where (made.fleet_id, made.location_id, made.type_id, made.is_dummy, made.deleted_at is null)
      is distinct from (gone.fleet_id, gone.location_id, gone.type_id, gone.is_dummy, gone.deleted_at is null));
begin
  if moved is null then
    return null;
  end if;
  perform from machines_state where id = any(moved) order by id for no key update;
  ${appendStates(`select * from (${signedRows}) changed where id = any(moved)`)}
  ${appendWork} from (${signedRows}) m join machine_days d on d.machine_id = m.id
    where m.id = any(moved) and ${countedWhere} ${group};
  return null;
end $$`,
  `create or replace function drop_from_fleet_sums() returns trigger language plpgsql as $$
begin
  insert into fleet_states (${stateColumns})
    select old.fleet_id, coalesce(old.location_id, 0), old.is_dummy, status, map_cell(latitude, longitude), -1
    from machines_state where id = old.id;
  insert into fleet_day_changes (${changeColumns})
    select old.fleet_id, coalesce(old.location_id, 0), coalesce(old.type_id, 0), day,
    ${workColumns.map((name) => `-${countedOf('machine_days')(name)}`).join(', ')}
    from machine_days where machine_id = old.id and not old.is_dummy;
  return old;
end $$`,
];

const daysTrigger = (name: string, instant: string, rows: string) =>
  `create trigger machine_days_sum_${name} after ${instant} on machine_days referencing ${rows}
  for each statement execute function sum_machine_days()`;

/** Fills the empty `fleet_states` from the machines that exist, where no trigger has counted them. */
export const countFleetStates = appendStates('select machines.*, 1 as sign from machines').slice(0, -1);

/** Appends the work of every machine and day that exists, where no trigger has counted it. */
export const countFleetDays = appendDaysSql('select machine_days.*, 1 as sign from machine_days').slice(0, -1);

/** The triggers that count rows of a table as they are written. */
export const fleetSumTriggerNames: Readonly<Record<string, readonly string[]>> = {
  machines: ['machines_sum_made', 'machines_sum_moved', 'machines_sum_gone'],
  machines_state: ['machines_state_sum'],
  machine_days: ['machine_days_sum_made', 'machine_days_sum_changed', 'machine_days_sum_gone'],
};

/** Statements in execution order; the tables must exist. The last four are for rows that existed before. */
export const fleetSumTriggers: readonly string[] = [
  ...functions,
  daysTrigger('made', 'insert', 'new table as made'),
  daysTrigger('changed', 'update', 'old table as gone new table as made'),
  daysTrigger('gone', 'delete', 'old table as gone'),
  // Triggers fire in the order of their names: this one after the trigger that inserts the side row.
  `create trigger machines_sum_made after insert on machines referencing new table as made
  for each statement execute function count_made_machines()`,
  `create trigger machines_sum_moved after update on machines referencing old table as gone new table as made
  for each statement execute function move_fleet_sums()`,
  `create trigger machines_sum_gone before delete on machines for each row
  when (old.deleted_at is null) execute function drop_from_fleet_sums()`,
  `create or replace trigger machines_state_sum after update of status, latitude, longitude on machines_state
  for each row when (old.status is distinct from new.status or (old.latitude, old.longitude) is distinct from
    (new.latitude, new.longitude) and map_cell(old.latitude, old.longitude) is distinct from
    map_cell(new.latitude, new.longitude)) execute function count_machine_state()`,
  `insert into fleet_days (fleet_id, location_id, day, ${timeline.join(', ')})
  select m.fleet_id, coalesce(m.location_id, 0), d.day, ${timeline.map((name) => `sum(d.${name}::numeric)`).join(', ')}
  from machine_days d join machines m on m.id = d.machine_id where ${countedWhere} group by 1, 2, 3`,
  countFleetStates,
  // Folds the changes that were appended before they had a type.
  `with folded as (delete from fleet_day_changes returning *)
  insert into fleet_days as at (fleet_id, location_id, day, ${timeline.join(', ')})
  select fleet_id, location_id, day, ${timeline.map((name) => `sum(${name})`).join(', ')} from folded group by 1, 2, 3
  on conflict (day, fleet_id, location_id) do update set
  ${timeline.map((name) => `${name} = at.${name} + excluded.${name}`).join(', ')}`,
  `insert into type_days (fleet_id, type_id, day, cleaning)
  select m.fleet_id, coalesce(m.type_id, 0), d.day, sum(d.cleaning)
  from machine_days d join machines m on m.id = d.machine_id where ${countedWhere} group by 1, 2, 3`,
];
