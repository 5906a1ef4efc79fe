ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_layout_check";
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_layout_check" CHECK ("saved_views"."layout" in ('table', 'map', 'timeline'));
