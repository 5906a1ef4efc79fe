CREATE TABLE "run_coverage" (
	"run_id" integer PRIMARY KEY NOT NULL,
	"machine_id" integer NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"key" text NOT NULL,
	"positions" integer NOT NULL,
	"elsewhere" integer NOT NULL,
	"cells" "bytea" NOT NULL,
	"computed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "run_coverage" ADD CONSTRAINT "run_coverage_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "run_coverage_machine" ON "run_coverage" USING btree ("machine_id","to_at");
