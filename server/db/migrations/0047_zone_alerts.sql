CREATE TABLE "alerts_zones" (
	"alerts_id" integer NOT NULL,
	"zones_id" integer NOT NULL,
	CONSTRAINT "alerts_zones_pkey" PRIMARY KEY("alerts_id","zones_id")
);
--> statement-breakpoint
ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_metric_check";
--> statement-breakpoint
ALTER TABLE "alerts" DROP CONSTRAINT "alerts_metric_check";
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "floor_id" integer;
--> statement-breakpoint
ALTER TABLE "alerts_zones" ADD CONSTRAINT "alerts_zones_alerts_id_fkey" FOREIGN KEY ("alerts_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alerts_zones" ADD CONSTRAINT "alerts_zones_zones_id_fkey" FOREIGN KEY ("zones_id") REFERENCES "public"."zones"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "alerts_zones_zones_id_idx" ON "alerts_zones" USING btree ("zones_id","alerts_id");
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_floor_id_fkey" FOREIGN KEY ("floor_id") REFERENCES "public"."floors"("id") ON DELETE restrict ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "alerts_floor_id_fkey_idx" ON "alerts" USING btree ("floor_id");
--> statement-breakpoint
CREATE INDEX "alerts_floor_id_idx" ON "alerts" USING btree ("floor_id","id") WHERE "alerts"."deleted_at" is null;
--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_metric_check" CHECK ("alert_rules"."metric" in ('offline', 'state', 'battery', 'left_site', 'cleaned_less', 'service_due', 'error', 'run_incomplete', 'run_interrupted', 'zone_uncleaned'));
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_metric_check" CHECK ("alerts"."metric" in ('offline', 'state', 'battery', 'left_site', 'cleaned_less', 'service_due', 'error', 'run_incomplete', 'run_interrupted', 'zone_uncleaned', 'reported'));
--> statement-breakpoint
create trigger alerts_zones_writes after insert or update or delete or truncate on "alerts_zones" for each statement execute function count_write();
