CREATE TABLE "fleet_day_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"fleet_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"day" date NOT NULL,
	"cleaning" numeric NOT NULL,
	"robotic" numeric NOT NULL,
	"manual" numeric NOT NULL,
	"area_m2" numeric NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fleet_days" (
	"fleet_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"day" date NOT NULL,
	"cleaning" numeric NOT NULL,
	"robotic" numeric NOT NULL,
	"manual" numeric NOT NULL,
	"area_m2" numeric NOT NULL,
	CONSTRAINT "fleet_days_pkey" PRIMARY KEY("day","fleet_id","location_id")
);
--> statement-breakpoint
CREATE TABLE "fleet_states" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"fleet_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"is_dummy" boolean NOT NULL,
	"status" text NOT NULL,
	"cell" bigint,
	"machines" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "fleet_day_changes_day_idx" ON "fleet_day_changes" USING btree ("day");
--> statement-breakpoint
create or replace function map_cell(latitude float8, longitude float8) returns bigint
language sql immutable parallel safe as $$
  select case when latitude is not null and longitude is not null then
    floor(greatest(0, least(131071, (longitude / 360 + 0.5) * 131072)))::bigint * 131072 + floor(greatest(0, least(131071, (0.5 - ln(tan(pi() / 4 + radians(greatest(-85, least(85, latitude))) / 2)) / (2 * pi())) * 131072)))::bigint end
$$;
--> statement-breakpoint
create or replace function sum_machine_days() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning::numeric), sum(sign * d.robotic::numeric), sum(sign * d.manual::numeric), sum(sign * d.area_m2::numeric) from (select made.*, 1 as sign from made) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning::numeric) <> 0 or sum(sign * d.robotic::numeric) <> 0 or sum(sign * d.manual::numeric) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  elsif tg_op = 'DELETE' then
    insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning::numeric), sum(sign * d.robotic::numeric), sum(sign * d.manual::numeric), sum(sign * d.area_m2::numeric) from (select gone.*, -1 as sign from gone) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning::numeric) <> 0 or sum(sign * d.robotic::numeric) <> 0 or sum(sign * d.manual::numeric) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  else
    insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning::numeric), sum(sign * d.robotic::numeric), sum(sign * d.manual::numeric), sum(sign * d.area_m2::numeric) from (select made.*, 1 as sign from made union all select gone.*, -1 from gone) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning::numeric) <> 0 or sum(sign * d.robotic::numeric) <> 0 or sum(sign * d.manual::numeric) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function count_made_machines() returns trigger language plpgsql as $$
begin
  insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select m.fleet_id, coalesce(m.location_id, 0), m.is_dummy, s.status, map_cell(s.latitude, s.longitude), sum(sign)
    from (select made.*, 1 as sign from made) m join machines_state s on s.id = m.id where m.deleted_at is null
    group by 1, 2, 3, 4, 5 having sum(sign) <> 0;
  return null;
end $$;
--> statement-breakpoint
create or replace function count_machine_state() returns trigger language plpgsql as $$
begin
  insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select m.fleet_id, coalesce(m.location_id, 0), m.is_dummy, s.status, s.cell, s.sign
    from machines m, (values (old.status, map_cell(old.latitude, old.longitude), -1),
      (new.status, map_cell(new.latitude, new.longitude), 1)) s(status, cell, sign)
    where m.id = new.id and m.deleted_at is null;
  return null;
end $$;
--> statement-breakpoint
create or replace function move_fleet_sums() returns trigger language plpgsql as $$
declare
  moved integer[] := (select array_agg(made.id) from made join gone on gone.id = made.id
    where (made.fleet_id, made.location_id, made.is_dummy, made.deleted_at is null)
      is distinct from (gone.fleet_id, gone.location_id, gone.is_dummy, gone.deleted_at is null));
begin
  if moved is null then
    return null;
  end if;
  perform from machines_state where id = any(moved) order by id for no key update;
  insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select m.fleet_id, coalesce(m.location_id, 0), m.is_dummy, s.status, map_cell(s.latitude, s.longitude), sum(sign)
    from (select * from (select made.*, 1 as sign from made union all select gone.*, -1 from gone) changed where id = any(moved)) m join machines_state s on s.id = m.id where m.deleted_at is null
    group by 1, 2, 3, 4, 5 having sum(sign) <> 0;
  insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning::numeric), sum(sign * d.robotic::numeric), sum(sign * d.manual::numeric), sum(sign * d.area_m2::numeric) from (select made.*, 1 as sign from made union all select gone.*, -1 from gone) m join machine_days d on d.machine_id = m.id
    where m.id = any(moved) and m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning::numeric) <> 0 or sum(sign * d.robotic::numeric) <> 0 or sum(sign * d.manual::numeric) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  return null;
end $$;
--> statement-breakpoint
create or replace function drop_from_fleet_sums() returns trigger language plpgsql as $$
begin
  insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select old.fleet_id, coalesce(old.location_id, 0), old.is_dummy, status, map_cell(latitude, longitude), -1
    from machines_state where id = old.id;
  insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
    select old.fleet_id, coalesce(old.location_id, 0), day, -cleaning::numeric, -robotic::numeric, -manual::numeric, -area_m2::numeric
    from machine_days where machine_id = old.id and not old.is_dummy;
  return old;
end $$;
--> statement-breakpoint
create trigger machine_days_sum_made after insert on machine_days referencing new table as made
  for each statement execute function sum_machine_days();
--> statement-breakpoint
create trigger machine_days_sum_changed after update on machine_days referencing old table as gone new table as made
  for each statement execute function sum_machine_days();
--> statement-breakpoint
create trigger machine_days_sum_gone after delete on machine_days referencing old table as gone
  for each statement execute function sum_machine_days();
--> statement-breakpoint
create trigger machines_sum_made after insert on machines referencing new table as made
  for each statement execute function count_made_machines();
--> statement-breakpoint
create trigger machines_sum_moved after update on machines referencing old table as gone new table as made
  for each statement execute function move_fleet_sums();
--> statement-breakpoint
create trigger machines_sum_gone before delete on machines for each row
  when (old.deleted_at is null) execute function drop_from_fleet_sums();
--> statement-breakpoint
create trigger machines_state_sum after update of status, latitude, longitude on machines_state for each row
  when (old.status is distinct from new.status or map_cell(old.latitude, old.longitude)
    is distinct from map_cell(new.latitude, new.longitude)) execute function count_machine_state();
--> statement-breakpoint
insert into fleet_days (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
  select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(d.cleaning::numeric), sum(d.robotic::numeric), sum(d.manual::numeric), sum(d.area_m2::numeric)
  from machine_days d join machines m on m.id = d.machine_id where m.deleted_at is null and not m.is_dummy group by 1, 2, 3;
--> statement-breakpoint
insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select m.fleet_id, coalesce(m.location_id, 0), m.is_dummy, s.status, map_cell(s.latitude, s.longitude), sum(sign)
    from (select machines.*, 1 as sign from machines) m join machines_state s on s.id = m.id where m.deleted_at is null
    group by 1, 2, 3, 4, 5 having sum(sign) <> 0;
