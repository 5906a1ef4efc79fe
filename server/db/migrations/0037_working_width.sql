ALTER TABLE "types" ADD COLUMN "working_width_m" double precision;
--> statement-breakpoint
ALTER TABLE "types" ADD CONSTRAINT "types_working_width_m_check" CHECK ("types"."working_width_m" >= 0.05 and "types"."working_width_m" <= 10);
