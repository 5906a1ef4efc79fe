DROP INDEX "machines_deployed_idx";
--> statement-breakpoint
CREATE INDEX "machines_figures_idx" ON "machines" USING btree ("location_id","fleet_id","type_id","stock_state","is_dummy","working_radius_m2","id") WHERE "machines"."deleted_at" is null;
