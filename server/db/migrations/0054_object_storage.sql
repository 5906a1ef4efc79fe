ALTER TABLE "files" ALTER COLUMN "bytes" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "object_key" text;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "digest" "bytea";
--> statement-breakpoint
CREATE INDEX "files_in_database" ON "files" USING btree ("created_at") WHERE bytes is not null;
--> statement-breakpoint
create or replace function remove_object() returns trigger language plpgsql as $$
begin
  insert into jobs (kind, dedupe_key, payload, run_at)
    values ('object_removal', old.object_key, jsonb_build_object('key', old.object_key), now() + interval '10 minutes')
    on conflict (kind, dedupe_key) do nothing;
  return null;
end $$;
--> statement-breakpoint
create trigger files_object_delete after delete on files for each row
  when (old.object_key is not null) execute function remove_object();
--> statement-breakpoint
create trigger files_object_update after update on files for each row
  when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_object();
