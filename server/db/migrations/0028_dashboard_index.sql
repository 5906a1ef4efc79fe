CREATE INDEX "machines_state_status_since_idx" ON "machines_state" USING btree ("status_since","id");
