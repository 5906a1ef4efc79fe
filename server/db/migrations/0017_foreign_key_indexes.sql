CREATE INDEX "machines_type_id_fkey_idx" ON "machines" USING btree ("type_id");
--> statement-breakpoint
CREATE INDEX "machines_fleet_id_fkey_idx" ON "machines" USING btree ("fleet_id");
--> statement-breakpoint
CREATE INDEX "machines_location_id_fkey_idx" ON "machines" USING btree ("location_id");
--> statement-breakpoint
CREATE INDEX "machines_tracker_id_fkey_idx" ON "machines" USING btree ("tracker_id");
--> statement-breakpoint
CREATE INDEX "clients_country_id_fkey_idx" ON "clients" USING btree ("country_id");
--> statement-breakpoint
CREATE INDEX "fleets_client_id_fkey_idx" ON "fleets" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "locations_fleet_id_fkey_idx" ON "locations" USING btree ("fleet_id");
--> statement-breakpoint
CREATE INDEX "users_language_id_fkey_idx" ON "users" USING btree ("language_id");
--> statement-breakpoint
CREATE INDEX "users_client_id_fkey_idx" ON "users" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "invitations_role_id_fkey_idx" ON "invitations" USING btree ("role_id");
--> statement-breakpoint
CREATE INDEX "invitations_client_id_fkey_idx" ON "invitations" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "invitations_language_id_fkey_idx" ON "invitations" USING btree ("language_id");
--> statement-breakpoint
CREATE INDEX "documents_machine_id_fkey_idx" ON "documents" USING btree ("machine_id");
--> statement-breakpoint
CREATE INDEX "service_entries_machine_id_fkey_idx" ON "service_entries" USING btree ("machine_id");
--> statement-breakpoint
CREATE INDEX "service_plans_machine_id_fkey_idx" ON "service_plans" USING btree ("machine_id");
--> statement-breakpoint
CREATE INDEX "service_plans_type_id_fkey_idx" ON "service_plans" USING btree ("type_id");
--> statement-breakpoint
CREATE INDEX "alert_rules_client_id_fkey_idx" ON "alert_rules" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "alert_rules_fleet_id_fkey_idx" ON "alert_rules" USING btree ("fleet_id");
--> statement-breakpoint
CREATE INDEX "alert_rules_location_id_fkey_idx" ON "alert_rules" USING btree ("location_id");
--> statement-breakpoint
CREATE INDEX "alert_rules_view_id_fkey_idx" ON "alert_rules" USING btree ("view_id");
--> statement-breakpoint
CREATE INDEX "alerts_rule_id_fkey_idx" ON "alerts" USING btree ("rule_id");
--> statement-breakpoint
CREATE INDEX "alerts_client_id_fkey_idx" ON "alerts" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "alerts_location_id_fkey_idx" ON "alerts" USING btree ("location_id");
--> statement-breakpoint
CREATE INDEX "saved_views_client_id_fkey_idx" ON "saved_views" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "saved_views_role_id_fkey_idx" ON "saved_views" USING btree ("role_id");
--> statement-breakpoint
CREATE INDEX "saved_views_user_id_fkey_idx" ON "saved_views" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "imports_user_id_fkey_idx" ON "imports" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "report_schedules_client_id_fkey_idx" ON "report_schedules" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "report_schedules_fleet_id_fkey_idx" ON "report_schedules" USING btree ("fleet_id");
--> statement-breakpoint
CREATE INDEX "report_schedules_location_id_fkey_idx" ON "report_schedules" USING btree ("location_id");
--> statement-breakpoint
CREATE INDEX "report_schedules_view_id_fkey_idx" ON "report_schedules" USING btree ("view_id");
--> statement-breakpoint
CREATE INDEX "report_schedules_language_id_fkey_idx" ON "report_schedules" USING btree ("language_id");
--> statement-breakpoint
CREATE INDEX "report_schedules_user_id_fkey_idx" ON "report_schedules" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "alert_messages_user_id_idx" ON "alert_messages" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "alert_notes_user_id_idx" ON "alert_notes" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "report_messages_user_id_idx" ON "report_messages" USING btree ("user_id");
