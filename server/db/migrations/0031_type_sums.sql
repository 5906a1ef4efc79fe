CREATE TABLE "type_days" (
	"fleet_id" integer NOT NULL,
	"type_id" integer NOT NULL,
	"day" date NOT NULL,
	"cleaning" numeric NOT NULL,
	CONSTRAINT "type_days_pkey" PRIMARY KEY("day","fleet_id","type_id")
);
--> statement-breakpoint
ALTER TABLE "types" ADD COLUMN "optimal_cleaning_time" integer;
--> statement-breakpoint
ALTER TABLE "fleet_day_changes" ADD COLUMN "type_id" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX "types_optimal_cleaning_time_idx" ON "types" USING btree ("optimal_cleaning_time","id") WHERE "types"."deleted_at" is null;
--> statement-breakpoint
ALTER TABLE "types" ADD CONSTRAINT "types_optimal_cleaning_time_check" CHECK ("types"."optimal_cleaning_time" >= 60 and "types"."optimal_cleaning_time" <= 86400);
--> statement-breakpoint
create or replace function sum_machine_days() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select made.*, 1 as sign from made) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  elsif tg_op = 'DELETE' then
    insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select gone.*, -1 as sign from gone) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  else
    insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select machine_id, day, coalesce(made.cleaning, 0) - coalesce(gone.cleaning, 0) as cleaning, coalesce(made.robotic, 0) - coalesce(gone.robotic, 0) as robotic, coalesce(made.manual, 0) - coalesce(gone.manual, 0) as manual, coalesce(made.area_m2::numeric, 0) - coalesce(gone.area_m2::numeric, 0) as area_m2, 1 as sign
      from made full join gone using (machine_id, day) where (made.cleaning, made.robotic, made.manual, made.area_m2) is distinct from (gone.cleaning, gone.robotic, gone.manual, gone.area_m2)) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
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
  insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), coalesce(m.type_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select made.*, 1 as sign from made union all select gone.*, -1 from gone) m join machine_days d on d.machine_id = m.id
    where m.id = any(moved) and m.deleted_at is null and not m.is_dummy group by 1, 2, 3, 4 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  return null;
end $$;
--> statement-breakpoint
create or replace function drop_from_fleet_sums() returns trigger language plpgsql as $$
begin
  insert into fleet_states (fleet_id, location_id, is_dummy, status, cell, machines)
    select old.fleet_id, coalesce(old.location_id, 0), old.is_dummy, status, map_cell(latitude, longitude), -1
    from machines_state where id = old.id;
  insert into fleet_day_changes (fleet_id, location_id, type_id, day, cleaning, robotic, manual, area_m2)
    select old.fleet_id, coalesce(old.location_id, 0), coalesce(old.type_id, 0), day,
    -cleaning::numeric, -robotic::numeric, -manual::numeric, -area_m2::numeric
    from machine_days where machine_id = old.id and not old.is_dummy;
  return old;
end $$;
--> statement-breakpoint
with folded as (delete from fleet_day_changes returning *)
  insert into fleet_days as at (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
  select fleet_id, location_id, day, sum(cleaning), sum(robotic), sum(manual), sum(area_m2) from folded group by 1, 2, 3
  on conflict (day, fleet_id, location_id) do update set
  cleaning = at.cleaning + excluded.cleaning, robotic = at.robotic + excluded.robotic, manual = at.manual + excluded.manual, area_m2 = at.area_m2 + excluded.area_m2;
--> statement-breakpoint
insert into type_days (fleet_id, type_id, day, cleaning)
  select m.fleet_id, coalesce(m.type_id, 0), d.day, sum(d.cleaning)
  from machine_days d join machines m on m.id = d.machine_id where m.deleted_at is null and not m.is_dummy group by 1, 2, 3;
