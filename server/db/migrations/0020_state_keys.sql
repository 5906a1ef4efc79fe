ALTER TABLE "observations" ADD COLUMN "own_keys" smallint;
--> statement-breakpoint
ALTER TABLE "observations" ADD COLUMN "state_keys" smallint;
