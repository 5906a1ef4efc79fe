CREATE TABLE "public_reports" (
	"alert_id" integer PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"email" text,
	"language" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "public_reports" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "public_reports" ADD CONSTRAINT "public_reports_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "public_reports_token_hash_key" ON "public_reports" USING btree ("token_hash");
