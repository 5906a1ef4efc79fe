ALTER TABLE "import_jobs" DROP COLUMN "attempts";
--> statement-breakpoint
ALTER TABLE "import_jobs" DROP COLUMN "worker";
--> statement-breakpoint
ALTER TABLE "import_jobs" DROP COLUMN "worked_at";
