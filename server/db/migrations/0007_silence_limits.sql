CREATE TABLE "silence_limits" (
	"machine_id" integer NOT NULL,
	"from_at" timestamp (0) with time zone NOT NULL,
	"seconds" integer,
	"told" boolean DEFAULT false NOT NULL,
	CONSTRAINT "silence_limits_machine_id_from_at_pk" PRIMARY KEY("machine_id","from_at")
);
--> statement-breakpoint
ALTER TABLE "machines" ADD COLUMN "offline_after" integer;
--> statement-breakpoint
ALTER TABLE "types" ADD COLUMN "offline_after" integer;
--> statement-breakpoint
CREATE INDEX "silence_limits_untold" ON "silence_limits" USING btree ("machine_id") WHERE not told;
--> statement-breakpoint
CREATE INDEX "types_offline_after_idx" ON "types" USING btree ("offline_after","id") WHERE "types"."deleted_at" is null;
--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_offline_after_check" CHECK ("machines"."offline_after" >= 30 and "machines"."offline_after" <= 604800);
--> statement-breakpoint
ALTER TABLE "types" ADD CONSTRAINT "types_offline_after_check" CHECK ("types"."offline_after" >= 30 and "types"."offline_after" <= 604800);
--> statement-breakpoint
create or replace function keep_first_silence_limit() returns trigger language plpgsql as $$
begin
  insert into silence_limits (machine_id, from_at, seconds, told)
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
      on conflict (machine_id, from_at) do update set seconds = excluded.seconds, told = false;
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function keep_silence_limits_of_type() returns trigger language plpgsql as $$
begin
  insert into silence_limits (machine_id, from_at, seconds)
    select id, date_trunc('second', now()), new.offline_after from machines where type_id = new.id and offline_after is null
    on conflict (machine_id, from_at) do update set seconds = excluded.seconds, told = false;
  return null;
end $$;
--> statement-breakpoint
create trigger machines_first_silence_limit after insert on machines referencing new table as made
  for each statement execute function keep_first_silence_limit();
--> statement-breakpoint
create trigger machines_silence_limit after update of offline_after, type_id on machines for each row
  when (old.offline_after is distinct from new.offline_after or old.type_id is distinct from new.type_id) execute function keep_silence_limit();
--> statement-breakpoint
create trigger types_silence_limit after update of offline_after on types for each row
  when (old.offline_after is distinct from new.offline_after) execute function keep_silence_limits_of_type();
