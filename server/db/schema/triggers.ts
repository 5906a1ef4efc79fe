/**
 * SQL that drizzle cannot express: the trigram extension, and triggers that create side rows, increment versions and
 * count writes. Computed from the declarations. Each statement is self-contained and goes into the first migration that
 * needs it.
 */
import type { Entity } from '../../../schema/dsl/entity';
import { linkOf, stateTable, storedFields } from '../core/names';

/** Needed before any table: indexes use its operator class. */
export const extensions: readonly string[] = ['create extension if not exists pg_trgm'];

const everyWrite = 'insert or update or delete or truncate';

/**
 * Writes to count in tables that are not entities. For sessions and tokens, these are the writes that take access away.
 */
export const countedTables: Readonly<Record<string, string>> = {
  sessions: 'update or delete',
  api_tokens: 'delete',
  inbox_marks: everyWrite,
};

/**
 * Free space keeps frequent updates on the same page (HOT), which spares the indexes. Every statement updates a write
 * count, for which vacuum runs early, too; the other tables are updated with every message.
 */
export const tableSettings: readonly string[] = [
  'alter table write_counts set (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, ' +
    'autovacuum_vacuum_threshold = 1000)',
  ...['machines_state', 'trackers_state', 'machine_watch'].map((table) => `alter table ${table} set (fillfactor = 70)`),
];

const functions = [
  `create or replace function count_write() returns trigger language plpgsql as $$
begin
  insert into write_counts (relation, backend, n) values (tg_table_name, pg_backend_pid(), 1)
    on conflict (relation, backend) do update set n = write_counts.n + 1;
  return null;
end $$`,
  `create or replace function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$`,
  `create or replace function make_state() returns trigger language plpgsql as $$
begin
  execute format('insert into %I (id) select id from made', tg_table_name || '_state');
  return null;
end $$`,
];

/** Functions and triggers for the given entities and further tables, in execution order. */
export function buildTriggers(
  entities: readonly Entity[],
  counted: Readonly<Record<string, string>> = countedTables,
): string[] {
  return [
    ...functions,
    ...entities.flatMap(entityTriggers),
    ...Object.entries(counted).map(([table, events]) => countTrigger(table, events)),
  ];
}

function entityTriggers(entity: Entity): string[] {
  const hasState = storedFields(entity, 'state').length > 0;
  const links = Object.values(entity.fields).flatMap((field) =>
    field.kind === 'refs' && field.to ? [linkOf(entity.name, field.to).table] : [],
  );
  const version =
    `create trigger ${entity.name}_version before update on ${quote(entity.name)} ` +
    `for each row execute function count_version()`;
  const state =
    `create trigger ${entity.name}_state after insert on ${quote(entity.name)} referencing new table as made ` +
    `for each statement execute function make_state()`;
  return [
    version,
    ...(hasState ? [state] : []),
    ...[entity.name, ...(hasState ? [stateTable(entity.name)] : []), ...links].map((table) =>
      countTrigger(table, everyWrite),
    ),
  ];
}

const countTrigger = (table: string, events: string) =>
  `create trigger ${table}_writes after ${events} on ${quote(table)} ` +
  `for each statement execute function count_write()`;

const quote = (name: string) => `"${name}"`;
