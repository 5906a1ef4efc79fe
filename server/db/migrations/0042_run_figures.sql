CREATE TABLE "past_runs" (
	"machine_id" integer PRIMARY KEY NOT NULL,
	"before" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "fleet_id" integer;
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "own_machine_id" integer;
--> statement-breakpoint
ALTER TABLE "machine_days" ADD COLUMN "run_cleaning" integer;
--> statement-breakpoint
ALTER TABLE "machine_days" ADD COLUMN "run_area_m2" double precision;
--> statement-breakpoint
ALTER TABLE "machine_days" ADD COLUMN "reported_area_m2" double precision DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "fleet_day_changes" ADD COLUMN "reported_area_m2" numeric DEFAULT '0' NOT NULL;
--> statement-breakpoint
ALTER TABLE "fleet_days" ADD COLUMN "reported_area_m2" numeric DEFAULT '0' NOT NULL;
--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_fleet_id_fkey" FOREIGN KEY ("fleet_id") REFERENCES "public"."fleets"("id") ON DELETE restrict ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "runs_fleet_id_fkey_idx" ON "runs" USING btree ("fleet_id");
--> statement-breakpoint
CREATE INDEX "runs_fleet_id_idx" ON "runs" USING btree ("fleet_id","id") WHERE "runs"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "runs_own_machine_id_idx" ON "runs" USING btree ("own_machine_id","id") WHERE "runs"."deleted_at" is null;
--> statement-breakpoint
create or replace function sum_machine_days() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2, reported_area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * coalesce(d.run_cleaning, d.cleaning)), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric), sum(sign * d.reported_area_m2::numeric) from (select made.*, 1 as sign from made) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * coalesce(d.run_cleaning, d.cleaning)) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric) <> 0 or sum(sign * d.reported_area_m2::numeric) <> 0;
  elsif tg_op = 'DELETE' then
    insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2, reported_area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * coalesce(d.run_cleaning, d.cleaning)), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric), sum(sign * d.reported_area_m2::numeric) from (select gone.*, -1 as sign from gone) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * coalesce(d.run_cleaning, d.cleaning)) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric) <> 0 or sum(sign * d.reported_area_m2::numeric) <> 0;
  else
    insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2, reported_area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * coalesce(d.run_cleaning, d.cleaning)), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric), sum(sign * d.reported_area_m2::numeric) from (select machine_id, day, coalesce(coalesce(made.run_cleaning, made.cleaning), 0) - coalesce(coalesce(gone.run_cleaning, gone.cleaning), 0) as cleaning, coalesce(made.robotic, 0) - coalesce(gone.robotic, 0) as robotic, coalesce(made.manual, 0) - coalesce(gone.manual, 0) as manual, coalesce(coalesce(made.run_area_m2, made.area_m2)::numeric, 0) - coalesce(coalesce(gone.run_area_m2, gone.area_m2)::numeric, 0) as area_m2, coalesce(made.reported_area_m2::numeric, 0) - coalesce(gone.reported_area_m2::numeric, 0) as reported_area_m2,
      null::integer as run_cleaning, null::numeric as run_area_m2, 1 as sign
      from made full join gone using (machine_id, day) where (coalesce(made.run_cleaning, made.cleaning), made.robotic, made.manual, coalesce(made.run_area_m2, made.area_m2)::numeric, made.reported_area_m2::numeric) is distinct from (coalesce(gone.run_cleaning, gone.cleaning), gone.robotic, gone.manual, coalesce(gone.run_area_m2, gone.area_m2)::numeric, gone.reported_area_m2::numeric)) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * coalesce(d.run_cleaning, d.cleaning)) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric) <> 0 or sum(sign * d.reported_area_m2::numeric) <> 0;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function move_fleet_sums() returns trigger language plpgsql as $$
declare
  moved integer[] := (select array_agg(made.id) from made join gone on gone.id = made.id
    where (made.fleet_id, made.location_id, made.type_id, made.is_dummy, made.deleted_at is null)
      is distinct from (gone.fleet_id, gone.location_id, gone.type_id, gone.is_dummy, gone.deleted_at is null));
begin
  if moved is null then
    return null;
  end if;
  perform from machines_state where id = any(moved) order by id for no key update;
  insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select m.fleet_id, coalesce(m.location_id, 0), m.is_dummy, s.status, map_cell(s.latitude, s.longitude), sum(sign)
    from (select * from (select made.*, 1 as sign from made union all select gone.*, -1 from gone) changed where id = any(moved)) m join machines_state s on s.id = m.id where m.deleted_at is null
    group by 1, 2, 3, 4, 5 having sum(sign) <> 0;
  insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2, reported_area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * coalesce(d.run_cleaning, d.cleaning)), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric), sum(sign * d.reported_area_m2::numeric) from (select made.*, 1 as sign from made union all select gone.*, -1 from gone) m join machine_days d on d.machine_id = m.id
    where m.id = any(moved) and m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * coalesce(d.run_cleaning, d.cleaning)) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * coalesce(d.run_area_m2, d.area_m2)::numeric) <> 0 or sum(sign * d.reported_area_m2::numeric) <> 0;
  return null;
end $$;
--> statement-breakpoint
create or replace function drop_from_fleet_sums() returns trigger language plpgsql as $$
begin
  insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select old.fleet_id, coalesce(old.location_id, 0), old.is_dummy, status, map_cell(latitude, longitude), -1
    from machines_state where id = old.id;
  insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2, reported_area_m2)
    select old.fleet_id, coalesce(old.location_id, 0), coalesce(old.type_id, 0), day,
    -coalesce(machine_days.run_cleaning, machine_days.cleaning), -machine_days.robotic, -machine_days.manual, -coalesce(machine_days.run_area_m2, machine_days.area_m2)::numeric, -machine_days.reported_area_m2::numeric
    from machine_days where machine_id = old.id and not old.is_dummy;
  return old;
end $$;
--> statement-breakpoint
create or replace function count_run_days(machine integer, since timestamptz, until timestamptz) returns void
language plpgsql as $$
declare
  zone text := (select coalesce(l.time_zone, 'Europe/Berlin') from machines m
    left join locations l on l.id = m.location_id where m.id = machine);
  first date;
  last date;
begin
  if zone is null or not exists (select from runs r where r.machine_id = machine and r.source <> 'derived'
    and r.started_at >= since - interval '31 days' and r.started_at <= until) and not exists (
    select from machine_days d where d.machine_id = machine and d.run_cleaning is not null
    and d.day between (since at time zone zone)::date and (until at time zone zone)::date) then
    return;
  end if;
  select least(since, min(r.started_at)), greatest(until, max(r.ended_at)) into since, until from runs r
    where r.machine_id = machine and r.source <> 'derived' and r.deleted_at is null and r.started_at >= since - interval '31 days' and r.started_at <= until
    and r.ended_at >= since;
  first := (since at time zone zone)::date;
  last := (until at time zone zone)::date;
  with run as (
    select r.started_at, r.ended_at, r.source <> 'derived' as is_reported,
      extract(epoch from r.ended_at - r.started_at) as length,
      coalesce(r.duration_s, extract(epoch from r.ended_at - r.started_at)) as seconds,
      coalesce(r.cleaned_area_m2, case when r.source <> 'derived' then (
        select sum(e.cleaned_area_m2) from runs e where e.machine_id = machine and e.superseded_by = r.id
        and e.deleted_at is null and e.started_at between r.started_at - interval '31 days' and r.ended_at
      ) end)::numeric as area
    from runs r where r.machine_id = machine and r.superseded_by is null and r.deleted_at is null
      and r.started_at >= since - interval '31 days' - interval '2 days' and r.started_at <= until + interval '2 days'
  ), part as (
    select day, is_reported, case when length = 0 then seconds else round(seconds * extract(epoch from least(ended_at, over) - started_at) / length, 0)
      - case when started_at >= start then 0 else round(seconds * extract(epoch from start - started_at) / length, 0) end end as seconds, case when length = 0 then area else round(area * extract(epoch from least(ended_at, over) - started_at) / length, 3)
      - case when started_at >= start then 0 else round(area * extract(epoch from start - started_at) / length, 3) end end as area
    from (
      select d.day::date as day, least(d.day::timestamp at time zone zone,
    (d.day::timestamp - interval '1 microsecond') at time zone zone + interval '1 microsecond') as start, least((d.day + interval '1 day')::timestamp at time zone zone,
    ((d.day + interval '1 day')::timestamp - interval '1 microsecond') at time zone zone + interval '1 microsecond') as over
      from generate_series(first::timestamp, last::timestamp, interval '1 day') d(day)
    ) of_day join run on started_at < over and (ended_at > start or started_at >= start)
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
end $$;
--> statement-breakpoint
create or replace function count_runs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform from machines_state where id in (select machine_id from (select machine_id, started_at, ended_at from made) run)
      order by id for no key update;
    perform count_run_days(machine_id, min(started_at), max(ended_at)) from (select machine_id, started_at, ended_at from made) run group by machine_id;
  elsif tg_op = 'DELETE' then
    perform from machines_state where id in (select machine_id from (select machine_id, started_at, ended_at from gone) run)
      order by id for no key update;
    perform count_run_days(machine_id, min(started_at), max(ended_at)) from (select machine_id, started_at, ended_at from gone) run group by machine_id;
  else
    perform from machines_state where id in (select machine_id from (select made.machine_id, least(made.started_at, gone.started_at) as started_at,
      greatest(made.ended_at, gone.ended_at) as ended_at
      from made join gone on gone.id = made.id where (made.started_at, made.ended_at, made.duration_s, made.cleaned_area_m2, made.superseded_by, made.deleted_at is null) is distinct from (gone.started_at, gone.ended_at, gone.duration_s, gone.cleaned_area_m2, gone.superseded_by, gone.deleted_at is null)) run)
      order by id for no key update;
    perform count_run_days(machine_id, min(started_at), max(ended_at)) from (select made.machine_id, least(made.started_at, gone.started_at) as started_at,
      greatest(made.ended_at, gone.ended_at) as ended_at
      from made join gone on gone.id = made.id where (made.started_at, made.ended_at, made.duration_s, made.cleaned_area_m2, made.superseded_by, made.deleted_at is null) is distinct from (gone.started_at, gone.ended_at, gone.duration_s, gone.cleaned_area_m2, gone.superseded_by, gone.deleted_at is null)) run group by machine_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger runs_days_made after insert on runs referencing new table as made
  for each statement execute function count_runs();
--> statement-breakpoint
create trigger runs_days_changed after update on runs referencing old table as gone new table as made
  for each statement execute function count_runs();
--> statement-breakpoint
create trigger runs_days_gone after delete on runs referencing old table as gone
  for each statement execute function count_runs();
--> statement-breakpoint
create or replace function place_run() returns trigger language plpgsql as $$
begin
  new.fleet_id := coalesce((select fleet_id from locations where id = new.location_id), new.fleet_id,
    (select fleet_id from machines where id = new.machine_id));
  new.own_machine_id := (select m.id from machines m join fleets present on present.id = m.fleet_id
    join fleets own on own.id = new.fleet_id and own.client_id = present.client_id where m.id = new.machine_id);
  return new;
end $$;
--> statement-breakpoint
create trigger runs_place before insert or update of machine_id, location_id, fleet_id on runs for each row
  execute function place_run();
--> statement-breakpoint
create or replace function place_runs_of_machine() returns trigger language plpgsql as $$
begin
  if (select client_id from fleets where id = old.fleet_id)
    <> (select client_id from fleets where id = new.fleet_id) then
    update runs set fleet_id = fleet_id where machine_id = new.id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger machines_runs_place after update of fleet_id on machines for each row
  when (old.fleet_id <> new.fleet_id) execute function place_runs_of_machine();
--> statement-breakpoint
create or replace function place_runs_of_location() returns trigger language plpgsql as $$
begin
  update runs set fleet_id = fleet_id where location_id = new.id;
  return null;
end $$;
--> statement-breakpoint
create trigger locations_runs_place after update of fleet_id on locations for each row
  when (old.fleet_id <> new.fleet_id) execute function place_runs_of_location();
--> statement-breakpoint
create or replace function place_runs_of_fleet() returns trigger language plpgsql as $$
begin
  update runs set fleet_id = fleet_id where fleet_id = new.id
    or machine_id in (select id from machines where fleet_id = new.id);
  return null;
end $$;
--> statement-breakpoint
create trigger fleets_runs_place after update of client_id on fleets for each row
  when (old.client_id <> new.client_id) execute function place_runs_of_fleet();
--> statement-breakpoint
update runs set fleet_id = fleet_id;
--> statement-breakpoint
insert into past_runs (machine_id, before) select id, now() from machines;
--> statement-breakpoint
select count_run_days(machine_id, min(started_at), max(ended_at)) from runs where source <> 'derived'
  group by machine_id;
