ALTER TABLE "import_jobs" ADD COLUMN "judged" jsonb;
