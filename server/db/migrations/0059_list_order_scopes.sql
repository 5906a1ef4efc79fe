DROP INDEX "machines_serial_number_idx";
--> statement-breakpoint
DROP INDEX "clients_name_idx";
--> statement-breakpoint
DROP INDEX "fleets_name_idx";
--> statement-breakpoint
DROP INDEX "locations_name_idx";
--> statement-breakpoint
DROP INDEX "users_last_name_idx";
--> statement-breakpoint
DROP INDEX "integrations_name_idx";
--> statement-breakpoint
DROP INDEX "floors_level_idx";
--> statement-breakpoint
DROP INDEX "zones_name_idx";
--> statement-breakpoint
DROP INDEX "service_plans_name_idx";
--> statement-breakpoint
DROP INDEX "alert_rules_name_idx";
--> statement-breakpoint
DROP INDEX "report_schedules_name_idx";
--> statement-breakpoint
CREATE INDEX "machines_serial_number_idx" ON "machines" USING btree ("serial_number" collate "und-x-icu","id","fleet_id","location_id") WHERE "machines"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "clients_name_idx" ON "clients" USING btree ("name" collate "und-x-icu","id","country_id") WHERE "clients"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "fleets_name_idx" ON "fleets" USING btree ("name" collate "und-x-icu","id","client_id") WHERE "fleets"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "locations_name_idx" ON "locations" USING btree ("name" collate "und-x-icu","id","fleet_id") WHERE "locations"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "users_last_name_idx" ON "users" USING btree ("last_name" collate "und-x-icu","id","client_id") WHERE "users"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "integrations_name_idx" ON "integrations" USING btree ("name" collate "und-x-icu","id","client_id") WHERE "integrations"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "floors_level_idx" ON "floors" USING btree ("level","id","location_id") WHERE "floors"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "zones_name_idx" ON "zones" USING btree ("name" collate "und-x-icu","id","floor_id") WHERE "zones"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "service_plans_name_idx" ON "service_plans" USING btree ("name" collate "und-x-icu","id","machine_id") WHERE "service_plans"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "alert_rules_name_idx" ON "alert_rules" USING btree ("name" collate "und-x-icu","id","client_id") WHERE "alert_rules"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "report_schedules_name_idx" ON "report_schedules" USING btree ("name" collate "und-x-icu","id","client_id") WHERE "report_schedules"."deleted_at" is null;
