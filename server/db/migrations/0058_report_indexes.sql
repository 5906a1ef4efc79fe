DROP INDEX "machine_stays_location";
--> statement-breakpoint
CREATE INDEX "machines_deployed_idx" ON "machines" USING btree ("location_id","working_radius_m2") WHERE stock_state = 'deployed' and deleted_at is null and not is_dummy;
--> statement-breakpoint
CREATE INDEX "machine_stays_change" ON "machine_stays" USING btree ("location_id",coalesce(to_at, from_at));
