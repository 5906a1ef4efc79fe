DROP INDEX "machines_state_last_seen_idx";
--> statement-breakpoint
DROP INDEX "trackers_state_last_seen_idx";
--> statement-breakpoint
DROP INDEX "machine_watch_silent_at";
--> statement-breakpoint
alter table machines_state set (fillfactor = 70);
--> statement-breakpoint
alter table trackers_state set (fillfactor = 70);
--> statement-breakpoint
alter table machine_watch set (fillfactor = 70);
