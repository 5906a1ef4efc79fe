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
  with evidence as (
    select e.superseded_by as run_id, sum(e.cleaned_area_m2) as area from runs e
    where e.machine_id = machine and e.superseded_by is not null and e.deleted_at is null
      and e.started_at >= since - 2 * interval '31 days' - interval '2 days'
      and e.started_at <= until + interval '31 days' + interval '2 days'
    group by 1
  ), run as materialized (
    select r.started_at, r.ended_at, r.source <> 'derived' as is_reported,
      extract(epoch from r.ended_at - r.started_at) as length,
      coalesce(r.duration_s, extract(epoch from r.ended_at - r.started_at)) as seconds,
      coalesce(r.cleaned_area_m2, evidence.area)::numeric as area
    from runs r left join evidence on evidence.run_id = r.id and r.source <> 'derived'
    where r.machine_id = machine and r.superseded_by is null and r.deleted_at is null
      and r.started_at >= since - interval '31 days' - interval '2 days' and r.started_at <= until + interval '2 days'
      and r.ended_at >= since - interval '2 days'
  ), of_day as materialized (
    select d.day::date as day, least(d.day::timestamp at time zone zone,
    (d.day::timestamp - interval '1 microsecond') at time zone zone + interval '1 microsecond') as start, least((d.day + interval '1 day')::timestamp at time zone zone,
    ((d.day + interval '1 day')::timestamp - interval '1 microsecond') at time zone zone + interval '1 microsecond') as over
    from generate_series(first::timestamp, last::timestamp, interval '1 day') d(day)
  ), part as (
    select of_day.day, is_reported, case when length = 0 then seconds else round(seconds * extract(epoch from least(ended_at, over) - started_at) / length, 0)
      - case when started_at >= start then 0 else round(seconds * extract(epoch from start - started_at) / length, 0) end end as seconds, case when length = 0 then area else round(area * extract(epoch from least(ended_at, over) - started_at) / length, 3)
      - case when started_at >= start then 0 else round(area * extract(epoch from start - started_at) / length, 3) end end as area
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
end $$;
