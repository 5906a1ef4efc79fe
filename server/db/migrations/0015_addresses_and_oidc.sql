CREATE TABLE "oidc_flows" (
	"state_hash" "bytea" PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"nonce" text NOT NULL,
	"verifier" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "login_tickets" ADD COLUMN "browser_hash" "bytea";
--> statement-breakpoint
ALTER TABLE "user_emails" ADD COLUMN "token_hash" "bytea";
--> statement-breakpoint
ALTER TABLE "user_emails" ADD COLUMN "token_expires_at" timestamp (3) with time zone;
--> statement-breakpoint
CREATE INDEX "oidc_flows_expires_at_idx" ON "oidc_flows" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "user_emails_token_hash_key" ON "user_emails" USING btree ("token_hash");
