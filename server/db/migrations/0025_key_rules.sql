ALTER TABLE "types" ADD COLUMN "key_rules" text[] DEFAULT '{}'::text[] NOT NULL;
--> statement-breakpoint
ALTER TABLE "trackers" ADD COLUMN "key_rules" text[] DEFAULT '{}'::text[] NOT NULL;
