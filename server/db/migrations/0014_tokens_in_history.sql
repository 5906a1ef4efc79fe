ALTER TABLE "audit" ADD COLUMN "token_name" text;
