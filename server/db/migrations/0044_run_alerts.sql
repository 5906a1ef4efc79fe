ALTER TABLE "alert_rules" DROP CONSTRAINT "alert_rules_metric_check";
--> statement-breakpoint
ALTER TABLE "alerts" DROP CONSTRAINT "alerts_metric_check";
--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_metric_check" CHECK ("alert_rules"."metric" in ('offline', 'state', 'battery', 'left_site', 'cleaned_less', 'service_due', 'error', 'run_incomplete', 'run_interrupted'));
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_metric_check" CHECK ("alerts"."metric" in ('offline', 'state', 'battery', 'left_site', 'cleaned_less', 'service_due', 'error', 'run_incomplete', 'run_interrupted', 'reported'));
