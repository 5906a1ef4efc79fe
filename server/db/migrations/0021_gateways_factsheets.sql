CREATE TABLE "tracker_factsheets" (
	"tracker_id" integer PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"factsheet_version" text,
	"vehicle_type" text,
	"vehicle_length" double precision,
	"vehicle_width" double precision,
	"vehicle_height" double precision
);
--> statement-breakpoint
ALTER TABLE "trackers" ADD COLUMN "gateway_id" integer;
--> statement-breakpoint
ALTER TABLE "trackers" ADD CONSTRAINT "trackers_gateway_id_fkey" FOREIGN KEY ("gateway_id") REFERENCES "public"."trackers"("id") ON DELETE restrict ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "trackers_gateway_id_fkey_idx" ON "trackers" USING btree ("gateway_id");
--> statement-breakpoint
CREATE INDEX "trackers_gateway_id_idx" ON "trackers" USING btree ("gateway_id","id") WHERE "trackers"."deleted_at" is null;
