ALTER TABLE "report_schedules" DROP CONSTRAINT "report_schedules_report_check";
--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_report_check" CHECK ("report_schedules"."report" in ('cleaning', 'runs', 'costs', 'service', 'list'));
