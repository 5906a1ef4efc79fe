ALTER TABLE "audit" DROP CONSTRAINT "audit_action_check";
--> statement-breakpoint
ALTER TABLE "audit" ADD CONSTRAINT "audit_action_check" CHECK ("audit"."action" in ('create', 'edit', 'delete', 'restore', 'remove', 'secret', 'impersonate', 'second_factor_on', 'second_factor_off', 'second_factor_reset', 'recovery_codes', 'token_create', 'token_revoke', 'sessions_end', 'email_verify', 'oidc_link', 'data_export', 'account_delete'));
