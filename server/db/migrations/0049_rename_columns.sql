alter table import_jobs rename column asked_by to requester_id;
--> statement-breakpoint
alter table import_jobs rename column judged to validation_snapshot;
--> statement-breakpoint
alter table import_jobs rename column added to created_rows;
--> statement-breakpoint
alter table import_rows rename column print to fingerprint;
--> statement-breakpoint
alter table import_mappings rename column heads to headings_hash;
--> statement-breakpoint
alter table machine_logs rename column told_at to device_at;
--> statement-breakpoint
alter table password_resets rename column asked_from to address;
--> statement-breakpoint
alter table silence_limits rename column told to is_applied;
--> statement-breakpoint
alter index silence_limits_untold rename to silence_limits_unapplied;
--> statement-breakpoint
update import_jobs set columns = (
  select jsonb_agg(case when item ? 'manner' then item - 'manner' || jsonb_build_object('format', item->'manner') else item end order by nth)
  from jsonb_array_elements(columns) with ordinality as element(item, nth))
where columns @? '$[*].manner';
--> statement-breakpoint
create or replace function keep_first_silence_limit() returns trigger language plpgsql as $$
begin
  insert into silence_limits (machine_id, from_at, seconds, is_applied)
    select m.id, 'epoch', coalesce(m.offline_after, t.offline_after), true from made m left join types t on t.id = m.type_id
    where coalesce(m.offline_after, t.offline_after) is not null;
  return null;
end $$;
--> statement-breakpoint
create or replace function keep_silence_limit() returns trigger language plpgsql as $$
declare
  before integer := coalesce(old.offline_after, (select offline_after from types where id = old.type_id for share));
  after integer := coalesce(new.offline_after, (select offline_after from types where id = new.type_id for share));
begin
  if after is distinct from before then
    insert into silence_limits (machine_id, from_at, seconds) values (new.id, date_trunc('second', now()), after)
      on conflict (machine_id, from_at) do update set seconds = excluded.seconds, is_applied = false;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function keep_silence_limits_of_type() returns trigger language plpgsql as $$
begin
  insert into silence_limits (machine_id, from_at, seconds)
    select id, date_trunc('second', now()), new.offline_after from machines where type_id = new.id and offline_after is null
    on conflict (machine_id, from_at) do update set seconds = excluded.seconds, is_applied = false;
  return null;
end $$;
