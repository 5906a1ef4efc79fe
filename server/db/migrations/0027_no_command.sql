DELETE FROM "permissions" WHERE "code_name" = 'machines.command';
--> statement-breakpoint
UPDATE "api_tokens" SET "permissions" = array_remove("permissions", 'machines.command') WHERE 'machines.command' = any("permissions");
