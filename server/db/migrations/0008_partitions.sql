alter table "raw_messages" rename to "raw_messages_past";
--> statement-breakpoint
alter table "raw_messages_past" drop constraint "raw_messages_pkey";
--> statement-breakpoint
drop index "raw_messages_received_at";
--> statement-breakpoint
drop index "raw_messages_machine";
--> statement-breakpoint
alter sequence "raw_messages_id_seq" rename to "raw_messages_id_seq_past";
--> statement-breakpoint
CREATE TABLE "raw_messages" (
	"id" bigserial NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"protocol" text NOT NULL,
	"device" text NOT NULL,
	"tracker_id" integer,
	"machine_id" integer,
	"media_type" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "raw_messages_id_received_at_pk" PRIMARY KEY("id","received_at")
) PARTITION BY RANGE ("received_at");
--> statement-breakpoint
CREATE INDEX "raw_messages_received_at" ON "raw_messages" USING btree ("received_at");
--> statement-breakpoint
CREATE INDEX "raw_messages_machine" ON "raw_messages" USING btree ("machine_id","received_at","id");
--> statement-breakpoint
select setval('raw_messages_id_seq', nextval('raw_messages_id_seq_past'));
--> statement-breakpoint
alter table "raw_messages_past" alter column "id" drop default;
--> statement-breakpoint
drop sequence "raw_messages_id_seq_past";
--> statement-breakpoint
alter table "raw_messages" attach partition "raw_messages_past" for values from (minvalue) to (maxvalue);
--> statement-breakpoint
alter table "observations" rename to "observations_past";
--> statement-breakpoint
alter table "observations_past" drop constraint "observations_machine_id_at_kind_pk";
--> statement-breakpoint
CREATE TABLE "observations" (
	"machine_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"raw_id" bigint,
	"protocol" text NOT NULL,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"mode" text,
	"battery" smallint,
	"latitude" double precision,
	"longitude" double precision,
	"speed" double precision,
	"heading" double precision,
	"accuracy" double precision,
	"altitude" double precision,
	"odometer" double precision,
	"area_total" double precision,
	"area" double precision,
	"error" text,
	"message" text,
	"attributes" jsonb,
	CONSTRAINT "observations_machine_id_at_kind_pk" PRIMARY KEY("machine_id","at","kind")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
alter table "observations" attach partition "observations_past" for values from (minvalue) to (maxvalue);
