DROP INDEX "machines_serial_number_idx";
--> statement-breakpoint
DROP INDEX "clients_name_idx";
--> statement-breakpoint
DROP INDEX "clients_city_idx";
--> statement-breakpoint
DROP INDEX "clients_contact_name_idx";
--> statement-breakpoint
DROP INDEX "fleets_name_idx";
--> statement-breakpoint
DROP INDEX "locations_name_idx";
--> statement-breakpoint
DROP INDEX "locations_address_idx";
--> statement-breakpoint
DROP INDEX "locations_postal_code_idx";
--> statement-breakpoint
DROP INDEX "locations_city_idx";
--> statement-breakpoint
DROP INDEX "users_first_name_idx";
--> statement-breakpoint
DROP INDEX "users_last_name_idx";
--> statement-breakpoint
DROP INDEX "users_email_idx";
--> statement-breakpoint
DROP INDEX "invitations_email_idx";
--> statement-breakpoint
DROP INDEX "roles_name_idx";
--> statement-breakpoint
DROP INDEX "permissions_name_idx";
--> statement-breakpoint
DROP INDEX "permissions_code_name_idx";
--> statement-breakpoint
DROP INDEX "languages_name_idx";
--> statement-breakpoint
DROP INDEX "languages_two_letter_code_idx";
--> statement-breakpoint
DROP INDEX "countries_name_idx";
--> statement-breakpoint
DROP INDEX "types_name_idx";
--> statement-breakpoint
DROP INDEX "trackers_refno_idx";
--> statement-breakpoint
DROP INDEX "trackers_tracker_or_serial_idx";
--> statement-breakpoint
DROP INDEX "documents_name_idx";
--> statement-breakpoint
DROP INDEX "documents_media_type_idx";
--> statement-breakpoint
CREATE INDEX "machines_serial_number_idx" ON "machines" USING btree ("serial_number" collate "und-x-icu","id") WHERE "machines"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "clients_name_idx" ON "clients" USING btree ("name" collate "und-x-icu","id") WHERE "clients"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "clients_city_idx" ON "clients" USING btree ("city" collate "und-x-icu","id") WHERE "clients"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "clients_contact_name_idx" ON "clients" USING btree ("contact_name" collate "und-x-icu","id") WHERE "clients"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "fleets_name_idx" ON "fleets" USING btree ("name" collate "und-x-icu","id") WHERE "fleets"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "locations_name_idx" ON "locations" USING btree ("name" collate "und-x-icu","id") WHERE "locations"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "locations_address_idx" ON "locations" USING btree ("address" collate "und-x-icu","id") WHERE "locations"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "locations_postal_code_idx" ON "locations" USING btree ("postal_code" collate "und-x-icu","id") WHERE "locations"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "locations_city_idx" ON "locations" USING btree ("city" collate "und-x-icu","id") WHERE "locations"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "users_first_name_idx" ON "users" USING btree ("first_name" collate "und-x-icu","id") WHERE "users"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "users_last_name_idx" ON "users" USING btree ("last_name" collate "und-x-icu","id") WHERE "users"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "users_email_idx" ON "users" USING btree ("email" collate "und-x-icu","id") WHERE "users"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "invitations_email_idx" ON "invitations" USING btree ("email" collate "und-x-icu","id") WHERE "invitations"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "roles_name_idx" ON "roles" USING btree ("name" collate "und-x-icu","id") WHERE "roles"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "permissions_name_idx" ON "permissions" USING btree ("name" collate "und-x-icu","id") WHERE "permissions"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "permissions_code_name_idx" ON "permissions" USING btree ("code_name" collate "und-x-icu","id") WHERE "permissions"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "languages_name_idx" ON "languages" USING btree ("name" collate "und-x-icu","id") WHERE "languages"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "languages_two_letter_code_idx" ON "languages" USING btree ("two_letter_code" collate "und-x-icu","id") WHERE "languages"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "countries_name_idx" ON "countries" USING btree ("name" collate "und-x-icu","id") WHERE "countries"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "types_name_idx" ON "types" USING btree ("name" collate "und-x-icu","id") WHERE "types"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "trackers_refno_idx" ON "trackers" USING btree ("refno" collate "und-x-icu","id") WHERE "trackers"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "trackers_tracker_or_serial_idx" ON "trackers" USING btree ("tracker_or_serial" collate "und-x-icu","id") WHERE "trackers"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "documents_name_idx" ON "documents" USING btree ("name" collate "und-x-icu","id") WHERE "documents"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "documents_media_type_idx" ON "documents" USING btree ("media_type" collate "und-x-icu","id") WHERE "documents"."deleted_at" is null;
