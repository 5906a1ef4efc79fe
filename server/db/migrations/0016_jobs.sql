CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"dedupe_key" text,
	"payload" jsonb NOT NULL,
	"secret" "bytea",
	"state" text DEFAULT 'queued' NOT NULL,
	"run_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"worker" uuid,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"outcome" text,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_kind_dedupe_key_key" ON "jobs" USING btree ("kind","dedupe_key");
--> statement-breakpoint
CREATE INDEX "jobs_queued" ON "jobs" USING btree ("kind","run_at") WHERE state = 'queued';
--> statement-breakpoint
CREATE INDEX "jobs_running" ON "jobs" USING btree ("lease_until") WHERE state = 'running';
--> statement-breakpoint
CREATE INDEX "jobs_done_at_idx" ON "jobs" USING btree ("done_at");
