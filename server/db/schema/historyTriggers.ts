/** Triggers that keep the history of machines for every writer: forms, imports, bulk changes, moves of a location. */

const silence = [
  `create or replace function keep_first_silence_limit() returns trigger language plpgsql as $$
begin
  insert into silence_limits (machine_id, from_at, seconds, is_applied)
    select m.id, 'epoch', coalesce(m.offline_after, t.offline_after), true from made m ` +
    `left join types t on t.id = m.type_id
    where coalesce(m.offline_after, t.offline_after) is not null;
  return null;
end $$`,
  // Locks the type, so that its own change and a machine's change of type do not miss each other.
  `create or replace function keep_silence_limit() returns trigger language plpgsql as $$
declare
  before integer := coalesce(old.offline_after, (select offline_after from types where id = old.type_id for share));
  after integer := coalesce(new.offline_after, (select offline_after from types where id = new.type_id for share));
begin
  if after is distinct from before then
    insert into silence_limits (machine_id, from_at, seconds) values (new.id, date_trunc('second', now()), after)
      on conflict (machine_id, from_at) do update set seconds = excluded.seconds, is_applied = false;
  end if;
  return null;
end $$`,
  `create or replace function keep_silence_limits_of_type() returns trigger language plpgsql as $$
begin
  insert into silence_limits (machine_id, from_at, seconds)
    select id, date_trunc('second', now()), new.offline_after from machines ` +
    `where type_id = new.id and offline_after is null
    on conflict (machine_id, from_at) do update set seconds = excluded.seconds, is_applied = false;
  return null;
end $$`,
  `create trigger machines_first_silence_limit after insert on machines referencing new table as made
  for each statement execute function keep_first_silence_limit()`,
  `create trigger machines_silence_limit after update of offline_after, type_id on machines for each row
  when (old.offline_after is distinct from new.offline_after or old.type_id is distinct from new.type_id) ` +
    `execute function keep_silence_limit()`,
  `create trigger types_silence_limit after update of offline_after on types for each row
  when (old.offline_after is distinct from new.offline_after) execute function keep_silence_limits_of_type()`,
];

const stays = [
  `create or replace function keep_first_stay() returns trigger language plpgsql as $$
begin
  insert into machine_stays (machine_id, location_id, from_at) select id, location_id, 'epoch' ` +
    `from made where location_id is not null;
  return null;
end $$`,
  // A machine that is moved twice in one transaction, or moved back, has no stay in between. `greatest` keeps the order
  // if a transaction began earlier but had to wait.
  `create or replace function keep_stay() returns trigger language plpgsql as $$
declare
  moved timestamptz(3) := greatest(now()::timestamptz(3), ` +
    `(select max(from_at) from machine_stays where machine_id = new.id));
begin
  delete from machine_stays where machine_id = new.id and from_at = moved;
  update machine_stays set to_at = moved where machine_id = new.id and to_at is null;
  update machine_stays set to_at = null where machine_id = new.id and to_at = moved and location_id = new.location_id;
  if not found and new.location_id is not null then
    insert into machine_stays (machine_id, location_id, from_at) values (new.id, new.location_id, moved);
  end if;
  return null;
end $$`,
  `create trigger machines_first_stay after insert on machines referencing new table as made ` +
    `for each statement execute function keep_first_stay()`,
  `create trigger machines_stay after update of location_id on machines for each row
  when (old.location_id is distinct from new.location_id) execute function keep_stay()`,
  // For machines that existed before: their earlier locations are unknown.
  `insert into machine_stays (machine_id, location_id, from_at) select id, location_id, 'epoch' from machines ` +
    `where location_id is not null`,
];

/** Statements in execution order; the tables must exist. */
export const historyTriggers: readonly string[] = [...silence, ...stays];
