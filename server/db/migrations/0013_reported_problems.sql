ALTER TABLE "alerts" DROP CONSTRAINT "alerts_metric_check";
--> statement-breakpoint
ALTER TABLE "alerts" ALTER COLUMN "rule_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_metric_check" CHECK ("alerts"."metric" in ('offline', 'state', 'battery', 'left_site', 'cleaned_less', 'service_due', 'error', 'reported'));
