CREATE TABLE "machine_stays" (
	"machine_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone,
	CONSTRAINT "machine_stays_machine_id_from_at_pk" PRIMARY KEY("machine_id","from_at")
);
--> statement-breakpoint
CREATE INDEX "machine_stays_location" ON "machine_stays" USING btree ("location_id","machine_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "machine_stays_open" ON "machine_stays" USING btree ("machine_id") WHERE to_at is null;
--> statement-breakpoint
create or replace function keep_first_stay() returns trigger language plpgsql as $$
begin
  insert into machine_stays (machine_id, location_id, from_at) select id, location_id, 'epoch' from made where location_id is not null;
  return null;
end $$;
--> statement-breakpoint
create or replace function keep_stay() returns trigger language plpgsql as $$
declare
  moved timestamptz(3) := greatest(now()::timestamptz(3), (select max(from_at) from machine_stays where machine_id = new.id));
begin
  delete from machine_stays where machine_id = new.id and from_at = moved;
  update machine_stays set to_at = moved where machine_id = new.id and to_at is null;
  update machine_stays set to_at = null where machine_id = new.id and to_at = moved and location_id = new.location_id;
  if not found and new.location_id is not null then
    insert into machine_stays (machine_id, location_id, from_at) values (new.id, new.location_id, moved);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger machines_first_stay after insert on machines referencing new table as made for each statement execute function keep_first_stay();
--> statement-breakpoint
create trigger machines_stay after update of location_id on machines for each row
  when (old.location_id is distinct from new.location_id) execute function keep_stay();
--> statement-breakpoint
insert into machine_stays (machine_id, location_id, from_at) select id, location_id, 'epoch' from machines where location_id is not null;
