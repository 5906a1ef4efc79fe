ALTER TABLE "import_jobs" ADD COLUMN "step" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE "import_jobs" j SET "commits" = false FROM "imports" i WHERE i.id = j.import_id AND j.cancelled AND i.state IN ('waiting', 'checking', 'committing');
--> statement-breakpoint
UPDATE "imports" i SET "state" = 'undoing' FROM "import_jobs" j WHERE j.import_id = i.id AND j.cancelled AND i.state IN ('waiting', 'checking', 'committing');
--> statement-breakpoint
UPDATE "import_jobs" j SET "step" = 1 FROM "imports" i WHERE i.id = j.import_id AND i.state IN ('waiting', 'checking', 'committing', 'undoing');
--> statement-breakpoint
INSERT INTO "jobs" ("kind", "dedupe_key", "payload", "run_at", "created_at")
SELECT 'import', i.id || '/1', json_build_object('import_id', i.id, 'user_id', i.user_id), now(), i.created_at
FROM "imports" i JOIN "import_jobs" j ON j.import_id = i.id WHERE i.state IN ('waiting', 'checking', 'committing', 'undoing')
ON CONFLICT DO NOTHING;
