/** What of a change its reader is shown: fields that they may read, and of references those that lead to rows they see. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../schema/dsl/entity';
import { type Caller, holds } from '../api/caller';
import { readable } from '../api/entity/fields';
import { column, entityNamed, knownEntities, table } from '../api/model';
import { unlimited, within } from '../api/scope';
import type { EntityServer } from './types';

const recorded = (): Entity[] => knownEntities().filter(({ scope }) => scope !== 'record');
const key = ({ name }: Entity, field: string) => `${name}.${field}`;

/** `entity.field` of every field that the caller may read about; of a password only that it was changed. */
const shownTo = (caller: Caller): string[] =>
  recorded()
    .filter(({ name }) => holds(caller, `${name}.show`))
    .flatMap((entity) => [...readable(entity, caller), ...(entity.fields.password ? ['password'] : [])].map((field) => key(entity, field)));

/** The changed fields of the row as `noted (key, value)`, those alone that the caller may read. */
const notedSql = (row: SQL, caller: Caller): SQL =>
  sql`jsonb_each(${column(row, 'detail')}) noted where ${column(row, 'entity')} || '.' || noted.key = any(${sql.param(shownTo(caller))}::text[])`;

/** One of the two values; ids of rows that the caller does not see are left out. */
function valueSql(row: SQL, index: 0 | 1, caller: Caller): SQL {
  const value = sql`(noted.value -> ${sql.raw(String(index))})`;
  const branches = limitedTargets(caller).map(({ target, keys }) => {
    const seen = sql`from ${table(target)} aim where ${within(target, caller, sql.raw('aim'))}`;
    return sql`when ${column(row, 'entity')} || '.' || noted.key = any(${sql.param(keys)}::text[]) then case jsonb_typeof(${value})
      when 'number' then (select ${value} ${seen} and aim.id = ${value}::int)
      when 'array' then (select jsonb_agg(one.id order by one.id) from (select (jsonb_array_elements_text(${value}))::int as id) one where one.id in (select aim.id ${seen}))
      end`;
  });
  return branches.length === 0 ? value : sql`case ${sql.join(branches, sql` `)} else ${value} end`;
}

/** Entities of which the caller does not see every row, and the fields that point at them. */
function limitedTargets(caller: Caller): { target: Entity; keys: string[] }[] {
  const pointing = new Map<string, string[]>();
  for (const entity of recorded())
    for (const [name, { kind, to }] of Object.entries(entity.fields))
      if (to && kind !== 'many') pointing.set(to, [...(pointing.get(to) ?? []), key(entity, name)]);
  return [...pointing].map(([to, keys]) => ({ target: entityNamed(to), keys })).filter(({ target }) => !unlimited(target, caller));
}

export const auditServer: EntityServer = {
  derived: {
    at: ({ row }) => column(row, 'created_at'),
    field: ({ row, caller }) => sql`(select coalesce(array_agg(noted.key order by noted.key), '{}') from ${notedSql(row, caller)})`,
    changes: ({ row, caller }) => sql`(
      select coalesce(json_agg(json_build_object('field', noted.key, 'before', ${valueSql(row, 0, caller)}, 'after', ${valueSql(row, 1, caller)}) order by noted.key), '[]')
      from ${notedSql(row, caller)})`,
  },
};
