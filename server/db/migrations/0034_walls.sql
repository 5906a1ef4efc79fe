ALTER TABLE "audit" DROP CONSTRAINT "audit_action_check";
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "is_wall" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "audit" ADD CONSTRAINT "audit_action_check" CHECK ("audit"."action" in ('create', 'edit', 'delete', 'restore', 'remove', 'secret', 'impersonate', 'second_factor_on', 'second_factor_off', 'second_factor_reset', 'recovery_codes', 'token_create', 'token_revoke', 'wall_create', 'wall_revoke', 'sessions_end', 'email_verify', 'oidc_link', 'data_export', 'account_delete', 'inbox_acknowledge', 'inbox_assign', 'inbox_snooze', 'inbox_done', 'inbox_return'));
