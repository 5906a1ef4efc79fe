ALTER TABLE "types" ADD COLUMN "cleaning_actions" text[] DEFAULT '{}'::text[] NOT NULL;
