ALTER TABLE "import_jobs" ADD COLUMN "added" jsonb DEFAULT '[]'::jsonb NOT NULL;
