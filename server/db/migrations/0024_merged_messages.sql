ALTER TABLE "observations" ADD COLUMN "device_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "observations" ADD COLUMN "is_merged" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX "observations_device_at" ON "observations" USING btree ("machine_id","device_at") WHERE device_at is not null;
--> statement-breakpoint
CREATE INDEX "observations_merged" ON "observations" USING btree ("machine_id") WHERE is_merged;
