ALTER TABLE "discovered_trackers" ADD COLUMN "latitude" double precision;
--> statement-breakpoint
ALTER TABLE "discovered_trackers" ADD COLUMN "longitude" double precision;
--> statement-breakpoint
ALTER TABLE "raw_messages" ADD COLUMN "machine_id" integer;
--> statement-breakpoint
CREATE INDEX "raw_messages_machine" ON "raw_messages" USING btree ("machine_id","received_at","id");
