ALTER TABLE "locations" ALTER COLUMN "opening_hours" SET DATA TYPE jsonb USING to_jsonb(nullif(btrim("opening_hours"), ''));
--> statement-breakpoint
ALTER TABLE "locations" ADD COLUMN "holiday_country_id" integer;
--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_holiday_country_id_fkey" FOREIGN KEY ("holiday_country_id") REFERENCES "public"."countries"("id") ON DELETE restrict ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "locations_holiday_country_id_fkey_idx" ON "locations" USING btree ("holiday_country_id");
--> statement-breakpoint
CREATE INDEX "locations_holiday_country_id_idx" ON "locations" USING btree ("holiday_country_id","id") WHERE "locations"."deleted_at" is null;
