create or replace function sum_machine_days() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select made.*, 1 as sign from made) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  elsif tg_op = 'DELETE' then
    insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select gone.*, -1 as sign from gone) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  else
    insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select machine_id, day, coalesce(made.cleaning, 0) - coalesce(gone.cleaning, 0) as cleaning, coalesce(made.robotic, 0) - coalesce(gone.robotic, 0) as robotic, coalesce(made.manual, 0) - coalesce(gone.manual, 0) as manual, coalesce(made.area_m2::numeric, 0) - coalesce(gone.area_m2::numeric, 0) as area_m2, 1 as sign
      from made full join gone using (machine_id, day) where (made.cleaning, made.robotic, made.manual, made.area_m2) is distinct from (gone.cleaning, gone.robotic, gone.manual, gone.area_m2)) d join machines m on m.id = d.machine_id
      where m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  end if;
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
      select m.fleet_id, coalesce(m.location_id, 0), d.day, sum(sign * d.cleaning), sum(sign * d.robotic), sum(sign * d.manual), sum(sign * d.area_m2::numeric) from (select made.*, 1 as sign from made union all select gone.*, -1 from gone) m join machine_days d on d.machine_id = m.id
    where m.id = any(moved) and m.deleted_at is null and not m.is_dummy group by 1, 2, 3 having sum(sign * d.cleaning) <> 0 or sum(sign * d.robotic) <> 0 or sum(sign * d.manual) <> 0 or sum(sign * d.area_m2::numeric) <> 0;
  return null;
end $$;
--> statement-breakpoint
create or replace trigger machines_state_sum after update of status, latitude, longitude on machines_state
  for each row when (old.status is distinct from new.status or (old.latitude, old.longitude) is distinct from
    (new.latitude, new.longitude) and map_cell(old.latitude, old.longitude) is distinct from
    map_cell(new.latitude, new.longitude)) execute function count_machine_state();
