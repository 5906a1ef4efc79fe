ALTER TABLE "report_schedules" DROP CONSTRAINT "report_schedules_report_check";
--> statement-breakpoint
ALTER TABLE "report_schedules_state" DROP CONSTRAINT "report_schedules_state_outcome_check";
--> statement-breakpoint
ALTER TABLE "report_schedules" ADD COLUMN "view_id" integer;
--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_view_id_fkey" FOREIGN KEY ("view_id") REFERENCES "public"."saved_views"("id") ON DELETE restrict ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "report_schedules_view_id_idx" ON "report_schedules" USING btree ("view_id","id") WHERE "report_schedules"."deleted_at" is null;
--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_report_check" CHECK ("report_schedules"."report" in ('cleaning', 'costs', 'service', 'list'));
--> statement-breakpoint
ALTER TABLE "report_schedules_state" ADD CONSTRAINT "report_schedules_state_outcome_check" CHECK ("report_schedules_state"."outcome" in ('sent', 'no_rights', 'no_recipients', 'too_large', 'failed'));
