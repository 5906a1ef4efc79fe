CREATE TABLE "run_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"machine_id" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "types" ADD COLUMN "run_pause" integer;
--> statement-breakpoint
CREATE INDEX "run_changes_machine" ON "run_changes" USING btree ("machine_id");
--> statement-breakpoint
ALTER TABLE "types" ADD CONSTRAINT "types_run_pause_check" CHECK ("types"."run_pause" >= 60 and "types"."run_pause" <= 86400);
