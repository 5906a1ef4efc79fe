/**
 * Triggers for runs: they set the fleet of each run, and add runs to daily sums.
 *
 * A run belongs to the fleet of its location, or without a location to the machine's fleet at the time.
 * `own_machine_id` is the machine as long as it belongs to the client of the run.
 *
 * On a local day with a reported or entered run, runs that are not superseded replace the cleaning time and area of the
 * timeline. A run over midnight is divided by the time on each day; the parts add up to the whole. A reported run
 * without an area has the area of the derived runs that it supersedes.
 */
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { dayStartSql } from '../core/dayStartSql';

const printSql = (part: SQL): string => new PgDialect().sqlToQuery(part).sql;
const startOf = (day: string) => printSql(dayStartSql(sql.raw(day), sql.raw('zone')));

/** Maximum length of a run (`server/telemetry/runs/runTimes.ts`). */
const maxLength = "interval '31 days'";
const isReported = "r.source <> 'derived' and r.deleted_at is null";

/** Share of a day in an amount of a run. The cumulated amounts are rounded, so that the parts add up to the whole. */
function shareOfDay(amount: string, digits: number): string {
  const until = (instant: string) =>
    `round(${amount} * extract(epoch from ${instant} - started_at) / length, ${digits})`;
  return `case when length = 0 then ${amount} else ${until('least(ended_at, over)')}
      - case when started_at >= start then 0 else ${until('start')} end end`;
}

/** Recounts the days of changed runs. Locks the side rows first, as ingest does before it writes sums of days. */
const recount = (rows: string) => `perform from machines_state where id in (select machine_id from (${rows}) run)
      order by id for no key update;
    perform count_run_days(machine_id, min(started_at), max(ended_at)) from (${rows}) run group by machine_id;`;
const valuesOf = (row: string) =>
  `(${['started_at', 'ended_at', 'duration_s', 'cleaned_area_m2', 'superseded_by']
    .map((name) => `${row}.${name}`)
    .join(', ')}, ${row}.deleted_at is null)`;
const changedRuns = `select made.machine_id, least(made.started_at, gone.started_at) as started_at,
      greatest(made.ended_at, gone.ended_at) as ended_at
      from made join gone on gone.id = made.id where ${valuesOf('made')} is distinct from ${valuesOf('gone')}`;
const runsTrigger = (name: string, instant: string, rows: string) =>
  `create trigger runs_days_${name} after ${instant} on runs referencing ${rows}
  for each statement execute function count_runs()`;

const sumsOfDays = [
  `create or replace function count_run_days(machine integer, since timestamptz, until timestamptz) returns void
language plpgsql as $$
declare
  zone text := (select coalesce(l.time_zone, 'Europe/Berlin') from machines m
    left join locations l on l.id = m.location_id where m.id = machine);
  first date;
  last date;
begin
  if zone is null or not exists (select from runs r where r.machine_id = machine and r.source <> 'derived'
    and r.started_at >= since - ${maxLength} and r.started_at <= until) and not exists (
    select from machine_days d where d.machine_id = machine and d.run_cleaning is not null
    and d.day between (since at time zone zone)::date and (until at time zone zone)::date) then
    return;
  end if;
  select least(since, min(r.started_at)), greatest(until, max(r.ended_at)) into since, until from runs r
    where r.machine_id = machine and ${isReported} and r.started_at >= since - ${maxLength} and r.started_at <= until
    and r.ended_at >= since;
  first := (since at time zone zone)::date;
  last := (until at time zone zone)::date;
  with evidence as (
    select e.superseded_by as run_id, sum(e.cleaned_area_m2) as area from runs e
    where e.machine_id = machine and e.superseded_by is not null and e.deleted_at is null
      and e.started_at >= since - 2 * ${maxLength} - interval '2 days'
      and e.started_at <= until + ${maxLength} + interval '2 days'
    group by 1
  ), run as materialized (
    select r.started_at, r.ended_at, r.source <> 'derived' as is_reported,
      extract(epoch from r.ended_at - r.started_at) as length,
      coalesce(r.duration_s, extract(epoch from r.ended_at - r.started_at)) as seconds,
      coalesce(r.cleaned_area_m2, evidence.area)::numeric as area
    from runs r left join evidence on evidence.run_id = r.id and r.source <> 'derived'
    where r.machine_id = machine and r.superseded_by is null and r.deleted_at is null
      and r.started_at >= since - ${maxLength} - interval '2 days' and r.started_at <= until + interval '2 days'
      and r.ended_at >= since - interval '2 days'
  ), of_day as materialized (
    select d.day::date as day, ${startOf('d.day')} as start, ${startOf("(d.day + interval '1 day')")} as over
    from generate_series(first::timestamp, last::timestamp, interval '1 day') d(day)
  ), part as (
    select of_day.day, is_reported, ${shareOfDay('seconds', 0)} as seconds, ${shareOfDay('area', 3)} as area
    from run cross join lateral generate_series((started_at at time zone zone)::date - interval '1 day',
      (ended_at at time zone zone)::date + interval '1 day', interval '1 day') touched(day)
    join of_day on of_day.day = touched.day::date and started_at < over and (ended_at > start or started_at >= start)
  ), counted as (
    select day, sum(seconds)::int as seconds, sum(area)::float8 as area,
      coalesce(sum(area) filter (where is_reported), 0)::float8 as reported
    from part group by day having bool_or(is_reported)
  ), ended as (
    update machine_days d set run_cleaning = null, run_area_m2 = null, reported_area_m2 = 0
    where d.machine_id = machine and d.day between first and last and d.run_cleaning is not null
      and d.day not in (select counted.day from counted)
  )
  insert into machine_days as at (machine_id, day, run_cleaning, run_area_m2, reported_area_m2)
    select machine, day, seconds, area, reported from counted
    on conflict (machine_id, day) do update set run_cleaning = excluded.run_cleaning,
      run_area_m2 = excluded.run_area_m2, reported_area_m2 = excluded.reported_area_m2
    where (at.run_cleaning, at.run_area_m2, at.reported_area_m2)
      is distinct from (excluded.run_cleaning, excluded.run_area_m2, excluded.reported_area_m2);
end $$`,
  `create or replace function count_runs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    ${recount('select machine_id, started_at, ended_at from made')}
  elsif tg_op = 'DELETE' then
    ${recount('select machine_id, started_at, ended_at from gone')}
  else
    ${recount(changedRuns)}
  end if;
  return null;
end $$`,
  runsTrigger('made', 'insert', 'new table as made'),
  runsTrigger('changed', 'update', 'old table as gone new table as made'),
  runsTrigger('gone', 'delete', 'old table as gone'),
];

const owners = [
  `create or replace function place_run() returns trigger language plpgsql as $$
begin
  new.fleet_id := coalesce((select fleet_id from locations where id = new.location_id), new.fleet_id,
    (select fleet_id from machines where id = new.machine_id));
  new.own_machine_id := (select m.id from machines m join fleets present on present.id = m.fleet_id
    join fleets own on own.id = new.fleet_id and own.client_id = present.client_id where m.id = new.machine_id);
  return new;
end $$`,
  `create trigger runs_place before insert or update of machine_id, location_id, fleet_id on runs for each row
  execute function place_run()`,
  `create or replace function place_runs_of_machine() returns trigger language plpgsql as $$
begin
  if (select client_id from fleets where id = old.fleet_id)
    <> (select client_id from fleets where id = new.fleet_id) then
    update runs set fleet_id = fleet_id where machine_id = new.id;
  end if;
  return null;
end $$`,
  `create trigger machines_runs_place after update of fleet_id on machines for each row
  when (old.fleet_id <> new.fleet_id) execute function place_runs_of_machine()`,
  `create or replace function place_runs_of_location() returns trigger language plpgsql as $$
begin
  update runs set fleet_id = fleet_id where location_id = new.id;
  return null;
end $$`,
  `create trigger locations_runs_place after update of fleet_id on locations for each row
  when (old.fleet_id <> new.fleet_id) execute function place_runs_of_location()`,
  `create or replace function place_runs_of_fleet() returns trigger language plpgsql as $$
begin
  update runs set fleet_id = fleet_id where fleet_id = new.id
    or machine_id in (select id from machines where fleet_id = new.id);
  return null;
end $$`,
  `create trigger fleets_runs_place after update of client_id on fleets for each row
  when (old.client_id <> new.client_id) execute function place_runs_of_fleet()`,
];

/** Statements in execution order; the tables must exist. The last ones are for rows that existed before. */
export const runTriggers: readonly string[] = [
  ...sumsOfDays,
  ...owners,
  'update runs set fleet_id = fleet_id',
  'insert into past_runs (machine_id, before) select id, now() from machines',
  `select count_run_days(machine_id, min(started_at), max(ended_at)) from runs where source <> 'derived'
  group by machine_id`,
];
