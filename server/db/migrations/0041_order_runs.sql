CREATE TABLE "order_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"machine_id" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "order_changes_machine" ON "order_changes" USING btree ("machine_id");
