ALTER TABLE "runs" ADD COLUMN "reported_at" timestamp (3) with time zone;
--> statement-breakpoint
CREATE INDEX "runs_deleted_external_id" ON "runs" USING btree ("machine_id","external_id") WHERE deleted_at is not null;
