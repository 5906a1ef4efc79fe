ALTER TABLE "alert_rules" ADD COLUMN "view_id" integer;
--> statement-breakpoint
ALTER TABLE "saved_views" ADD COLUMN "widths" text[] DEFAULT '{}'::text[] NOT NULL;
--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_view_id_fkey" FOREIGN KEY ("view_id") REFERENCES "public"."saved_views"("id") ON DELETE restrict ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "alert_rules_view_id_idx" ON "alert_rules" USING btree ("view_id","id") WHERE "alert_rules"."deleted_at" is null;
