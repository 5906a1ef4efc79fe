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
--> statement-breakpoint
INSERT INTO "jobs" ("id", "kind", "dedupe_key", "payload", "state", "run_at", "attempts", "outcome", "error", "created_at", "done_at")
SELECT m.id, 'alert_message', concat_ws('/', m.alert_id, m.event, m.channel, m.user_id, CASE WHEN m.event = 'reminder' THEN m.created_at END),
  json_build_object('alert_id', m.alert_id, 'event', m.event, 'channel', m.channel, 'user_id', m.user_id, 'body', m.payload),
  CASE WHEN m.due_at IS NULL THEN 'done' ELSE 'queued' END, coalesce(m.due_at, m.created_at), m.tries, m.outcome, m.error, m.created_at, m.done_at
FROM "alert_messages" m JOIN "alerts" a ON a.id = m.alert_id
WHERE m.due_at IS NOT NULL OR (m.event = 'fired' AND m.outcome = 'sent' AND a.state <> 'closed')
ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE "alert_messages" SET "due_at" = NULL, "outcome" = 'moved', "done_at" = now() WHERE "due_at" IS NOT NULL;
--> statement-breakpoint
INSERT INTO "jobs" ("id", "kind", "dedupe_key", "payload", "run_at", "attempts", "error")
SELECT m.id, 'report_message', concat_ws('/', m.schedule_id, m.turn_at, m.user_id, m.email),
  json_build_object('schedule_id', m.schedule_id, 'user_id', m.user_id, 'email', m.email, 'turn_at', m.turn_at), m.due_at, m.tries, m.error
FROM "report_messages" m WHERE m.due_at IS NOT NULL
ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE "report_messages" SET "due_at" = NULL, "outcome" = 'moved', "done_at" = now() WHERE "due_at" IS NOT NULL;
