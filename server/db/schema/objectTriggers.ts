/**
 * Triggers for rows whose bytes are in the object storage: when a row is deleted or names another object, a job removes
 * the object that it named (`server/objects/objectRemoval.ts`). Triggers, because rows are deleted in many places, and
 * because they also apply to processes of other versions on the same database.
 */

/** Kind of the jobs that remove objects. */
export const objectRemovalKind = 'object_removal';

/** SQL: how long an object remains for downloads and replays that have read its name already. */
const grace = "interval '10 minutes'";

const triggersOn = (table: string) => [
  `create trigger ${table}_object_delete after delete on ${table} for each row
  when (old.object_key is not null) execute function remove_object()`,
  `create trigger ${table}_object_update after update on ${table} for each row
  when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_object()`,
];

export const objectTriggers: readonly string[] = [
  `create or replace function remove_object() returns trigger language plpgsql as $$
begin
  insert into jobs (kind, dedupe_key, payload, run_at)
    values ('${objectRemovalKind}', old.object_key, jsonb_build_object('key', old.object_key), now() + ${grace})
    on conflict (kind, dedupe_key) do nothing;
  return null;
end $$`,
  ...triggersOn('files'),
  ...triggersOn('raw_message_objects'),
];
