ALTER TABLE "floors" ADD COLUMN "plan" text;
