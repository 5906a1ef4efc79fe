ALTER TABLE "locations" ADD COLUMN "holiday_region" text;
