ALTER TABLE "locations" ADD COLUMN "cleaning_plan" text DEFAULT 'none' NOT NULL;
--> statement-breakpoint
ALTER TABLE "locations" ADD COLUMN "planned_area_m2" double precision;
--> statement-breakpoint
CREATE INDEX "locations_cleaning_plan_idx" ON "locations" USING btree ("cleaning_plan","id") WHERE "locations"."deleted_at" is null;
--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_cleaning_plan_check" CHECK ("locations"."cleaning_plan" in ('none', 'daily', 'monday_to_saturday', 'monday_to_friday'));
--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_planned_area_m2_check" CHECK ("locations"."planned_area_m2" >= 0 and "locations"."planned_area_m2" <= 10000000);
