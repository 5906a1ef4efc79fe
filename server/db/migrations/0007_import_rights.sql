ALTER TABLE "import_jobs" ADD COLUMN "asked_by" integer;
--> statement-breakpoint
ALTER TABLE "import_jobs" ADD COLUMN "token_id" integer;
--> statement-breakpoint
ALTER TABLE "import_mappings" ADD COLUMN "settings" jsonb;
