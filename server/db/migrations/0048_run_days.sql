CREATE TABLE "run_day_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"fleet_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"completed" integer NOT NULL,
	"partial" integer NOT NULL,
	"aborted" integer NOT NULL,
	"failed" integer NOT NULL,
	"unknown" integer NOT NULL,
	"planned_m2" numeric NOT NULL,
	"cleaned_m2" numeric NOT NULL,
	"interruptions" integer NOT NULL,
	"helped" integer NOT NULL,
	"help_s" numeric NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_days" (
	"day" date NOT NULL,
	"fleet_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"completed" integer NOT NULL,
	"partial" integer NOT NULL,
	"aborted" integer NOT NULL,
	"failed" integer NOT NULL,
	"unknown" integer NOT NULL,
	"planned_m2" numeric NOT NULL,
	"cleaned_m2" numeric NOT NULL,
	"interruptions" integer NOT NULL,
	"helped" integer NOT NULL,
	"help_s" numeric NOT NULL,
	CONSTRAINT "run_days_pkey" PRIMARY KEY("day","fleet_id","location_id")
);
--> statement-breakpoint
CREATE INDEX "run_day_changes_day_idx" ON "run_day_changes" USING btree ("day");
--> statement-breakpoint
create or replace function sum_runs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into run_day_changes (day, fleet_id, location_id, completed, partial, aborted, failed, unknown, planned_m2, cleaned_m2, interruptions, helped, help_s)
    select day, fleet_id, location_id, sum(completed), sum(partial), sum(aborted), sum(failed), sum(unknown), sum(planned_m2), sum(cleaned_m2), sum(interruptions), sum(helped), sum(help_s) from (select (r.started_at at time zone 'UTC')::date as day, r.fleet_id, coalesce(r.location_id, 0) as location_id, 1 * (coalesce(r.outcome, '') = 'completed')::int as completed, 1 * (coalesce(r.outcome, '') = 'partial')::int as partial, 1 * (coalesce(r.outcome, '') = 'aborted')::int as aborted, 1 * (coalesce(r.outcome, '') = 'failed')::int as failed, 1 * (r.outcome is null)::int as unknown, 1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.planned_area_m2 else 0 end::numeric as planned_m2, 1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.cleaned_area_m2 else 0 end::numeric as cleaned_m2, 1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as interruptions, 1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i where i->>'resolved_at' is not null) as helped, 1 * (select coalesce(sum(greatest(0, extract(epoch from
    (i->>'resolved_at')::timestamptz - (i->>'at')::timestamptz))), 0) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as help_s from made r where r.deleted_at is null and r.superseded_by is null and r.fleet_id is not null) run
    group by 1, 2, 3 having sum(completed) <> 0 or sum(partial) <> 0 or sum(aborted) <> 0 or sum(failed) <> 0 or sum(unknown) <> 0 or sum(planned_m2) <> 0 or sum(cleaned_m2) <> 0 or sum(interruptions) <> 0 or sum(helped) <> 0 or sum(help_s) <> 0;
  elsif tg_op = 'DELETE' then
    insert into run_day_changes (day, fleet_id, location_id, completed, partial, aborted, failed, unknown, planned_m2, cleaned_m2, interruptions, helped, help_s)
    select day, fleet_id, location_id, sum(completed), sum(partial), sum(aborted), sum(failed), sum(unknown), sum(planned_m2), sum(cleaned_m2), sum(interruptions), sum(helped), sum(help_s) from (select (r.started_at at time zone 'UTC')::date as day, r.fleet_id, coalesce(r.location_id, 0) as location_id, -1 * (coalesce(r.outcome, '') = 'completed')::int as completed, -1 * (coalesce(r.outcome, '') = 'partial')::int as partial, -1 * (coalesce(r.outcome, '') = 'aborted')::int as aborted, -1 * (coalesce(r.outcome, '') = 'failed')::int as failed, -1 * (r.outcome is null)::int as unknown, -1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.planned_area_m2 else 0 end::numeric as planned_m2, -1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.cleaned_area_m2 else 0 end::numeric as cleaned_m2, -1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as interruptions, -1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i where i->>'resolved_at' is not null) as helped, -1 * (select coalesce(sum(greatest(0, extract(epoch from
    (i->>'resolved_at')::timestamptz - (i->>'at')::timestamptz))), 0) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as help_s from gone r where r.deleted_at is null and r.superseded_by is null and r.fleet_id is not null) run
    group by 1, 2, 3 having sum(completed) <> 0 or sum(partial) <> 0 or sum(aborted) <> 0 or sum(failed) <> 0 or sum(unknown) <> 0 or sum(planned_m2) <> 0 or sum(cleaned_m2) <> 0 or sum(interruptions) <> 0 or sum(helped) <> 0 or sum(help_s) <> 0;
  else
    insert into run_day_changes (day, fleet_id, location_id, completed, partial, aborted, failed, unknown, planned_m2, cleaned_m2, interruptions, helped, help_s)
    select day, fleet_id, location_id, sum(completed), sum(partial), sum(aborted), sum(failed), sum(unknown), sum(planned_m2), sum(cleaned_m2), sum(interruptions), sum(helped), sum(help_s) from (select (r.started_at at time zone 'UTC')::date as day, r.fleet_id, coalesce(r.location_id, 0) as location_id, 1 * (coalesce(r.outcome, '') = 'completed')::int as completed, 1 * (coalesce(r.outcome, '') = 'partial')::int as partial, 1 * (coalesce(r.outcome, '') = 'aborted')::int as aborted, 1 * (coalesce(r.outcome, '') = 'failed')::int as failed, 1 * (r.outcome is null)::int as unknown, 1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.planned_area_m2 else 0 end::numeric as planned_m2, 1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.cleaned_area_m2 else 0 end::numeric as cleaned_m2, 1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as interruptions, 1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i where i->>'resolved_at' is not null) as helped, 1 * (select coalesce(sum(greatest(0, extract(epoch from
    (i->>'resolved_at')::timestamptz - (i->>'at')::timestamptz))), 0) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as help_s from made r where r.deleted_at is null and r.superseded_by is null and r.fleet_id is not null union all select (r.started_at at time zone 'UTC')::date as day, r.fleet_id, coalesce(r.location_id, 0) as location_id, -1 * (coalesce(r.outcome, '') = 'completed')::int as completed, -1 * (coalesce(r.outcome, '') = 'partial')::int as partial, -1 * (coalesce(r.outcome, '') = 'aborted')::int as aborted, -1 * (coalesce(r.outcome, '') = 'failed')::int as failed, -1 * (r.outcome is null)::int as unknown, -1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.planned_area_m2 else 0 end::numeric as planned_m2, -1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.cleaned_area_m2 else 0 end::numeric as cleaned_m2, -1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as interruptions, -1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i where i->>'resolved_at' is not null) as helped, -1 * (select coalesce(sum(greatest(0, extract(epoch from
    (i->>'resolved_at')::timestamptz - (i->>'at')::timestamptz))), 0) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as help_s from gone r where r.deleted_at is null and r.superseded_by is null and r.fleet_id is not null) run
    group by 1, 2, 3 having sum(completed) <> 0 or sum(partial) <> 0 or sum(aborted) <> 0 or sum(failed) <> 0 or sum(unknown) <> 0 or sum(planned_m2) <> 0 or sum(cleaned_m2) <> 0 or sum(interruptions) <> 0 or sum(helped) <> 0 or sum(help_s) <> 0;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger runs_sum_made after insert on runs referencing new table as made
  for each statement execute function sum_runs();
--> statement-breakpoint
create trigger runs_sum_changed after update on runs referencing old table as gone new table as made
  for each statement execute function sum_runs();
--> statement-breakpoint
create trigger runs_sum_gone after delete on runs referencing old table as gone
  for each statement execute function sum_runs();
--> statement-breakpoint
insert into run_days (day, fleet_id, location_id, completed, partial, aborted, failed, unknown, planned_m2, cleaned_m2, interruptions, helped, help_s)
  select day, fleet_id, location_id, sum(completed), sum(partial), sum(aborted), sum(failed), sum(unknown), sum(planned_m2), sum(cleaned_m2), sum(interruptions), sum(helped), sum(help_s)
  from (select (r.started_at at time zone 'UTC')::date as day, r.fleet_id, coalesce(r.location_id, 0) as location_id, 1 * (coalesce(r.outcome, '') = 'completed')::int as completed, 1 * (coalesce(r.outcome, '') = 'partial')::int as partial, 1 * (coalesce(r.outcome, '') = 'aborted')::int as aborted, 1 * (coalesce(r.outcome, '') = 'failed')::int as failed, 1 * (r.outcome is null)::int as unknown, 1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.planned_area_m2 else 0 end::numeric as planned_m2, 1 * case when r.planned_area_m2 is not null and r.cleaned_area_m2 is not null then r.cleaned_area_m2 else 0 end::numeric as cleaned_m2, 1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as interruptions, 1 * (select count(*) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i where i->>'resolved_at' is not null) as helped, 1 * (select coalesce(sum(greatest(0, extract(epoch from
    (i->>'resolved_at')::timestamptz - (i->>'at')::timestamptz))), 0) from jsonb_array_elements(case when jsonb_typeof(r.interruptions) = 'array' then r.interruptions end) i) as help_s from runs r where r.deleted_at is null and r.superseded_by is null and r.fleet_id is not null) run group by 1, 2, 3;
