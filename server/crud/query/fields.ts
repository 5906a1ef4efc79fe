/** Fields that a caller may read and write, and their SQL as JSON values. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field, Kind } from '../../../schema/dsl/field';
import { derivedSql } from '../../access/derivedSql';
import { column, linkTableOf, type QueryContext, table } from '../../access/entityModel';
import { hasGlobalScope, scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import type { ModelEntity } from '../../context/services';

/** Aliases of an entity in a statement: its table `row`, its side table `state`. */
export interface RowAliases {
  entity: ModelEntity;
  row: SQL;
  state: SQL;
  caller: Caller;
  context: QueryContext;
}

/** Names of the fields that responses to the caller may contain. */
export function readableFields(entity: ModelEntity, caller: Caller): string[] {
  return Object.entries(entity.fields)
    .filter(([, field]) => field.kind !== 'many' && field.kind !== 'password' && isReadableField(field, caller))
    .map(([name]) => name);
}

export const isReadableField = (field: Field, caller: Caller): boolean =>
  !field.read || hasPermission(caller, field.read);

/**
 * Names of the fields that the caller may set. `id` is the row to edit, since callers may edit more of their own row.
 */
export function writableFields(entity: ModelEntity, caller: Caller, action: 'create' | 'edit', id?: number): string[] {
  const mayWriteAll = hasPermission(caller, `${entity.name}.${action}`);
  const { own } = entity.hooks;
  const ownFields = own && id !== undefined && own.is(caller, id) ? own.fields : [];
  return Object.entries(entity.fields)
    .filter(([, field]) => field.write !== false && isReadableField(field, caller))
    .filter(
      ([name, field]) =>
        mayWriteAll ||
        (action === 'edit' &&
          (ownFields.includes(name) || (field.edit !== undefined && hasPermission(caller, field.edit)))),
    )
    .map(([name]) => name);
}

/** SQL value of a field, of a kind other than `refs` and `many`. */
export function valueSql({ entity, row, state, caller }: RowAliases, name: string): SQL {
  const field = entity.fields[name] as Field;
  if (field.store === 'state') return column(state, name);
  return field.store === 'derived' ? derivedSql(entity, { name, row, state, caller }) : column(row, name);
}

/** SQL value by which rows are compared, sorted and counted; for opening hours, their text. */
export function comparableSql(aliases: RowAliases, name: string): SQL {
  const value = valueSql(aliases, name);
  return aliases.entity.fields[name]?.kind === 'hours' ? hoursTextSql(value) : value;
}

export const hoursTextSql = (value: SQL): SQL => sql`(${value}->>'text')`;

const asIs = (value: SQL) => value;
const jsonValues: Record<Exclude<Kind, 'refs' | 'many' | 'password'>, (value: SQL) => SQL> = {
  text: asIs,
  longtext: asIs,
  email: asIs,
  phone: asIs,
  color: asIs,
  integer: asIs,
  number: asIs,
  money: (value) => sql`${value}::text`,
  boolean: asIs,
  date: asIs,
  instant: (value) => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  choice: asIs,
  tags: asIs,
  hours: asIs,
  json: asIs,
  image: asIs,
  ref: asIs,
  records: asIs,
};

/**
 * SQL of a field's JSON value: money as decimal string, instants in ISO 8601 with Z, links as a list of ids within
 * scope.
 */
export function jsonSql(aliases: RowAliases, name: string): SQL {
  const field = aliases.entity.fields[name] as Field;
  if (field.kind === 'refs') return linkedIdsSql(aliases, field);
  if (field.kind === 'many' || field.kind === 'password') throw new Error(`${name} is never part of a row`);
  return jsonValues[field.kind](valueSql(aliases, name));
}

/** Whether `jsonSql` of the field is just its column, which needs no alias. */
export const isColumn = ({ kind, store }: Field): boolean =>
  store !== 'derived' && kind in jsonValues && jsonValues[kind as keyof typeof jsonValues] === asIs;

function linkedIdsSql({ entity, row, caller, context }: RowAliases, field: Field): SQL {
  const link = linkTableOf(entity, field);
  const target = entity.model.require(field.to as string);
  const linkAlias = context.alias();
  const targetAlias = context.alias();
  const scope = hasGlobalScope(target, caller) ? sql`` : sql` and ${scopeWhere(target, caller, targetAlias)}`;
  const id = sql`${linkAlias}.${link.otherColumn}`;
  return sql`(select coalesce(json_agg(${id} order by ${id}), '[]') from ${link.table} ${linkAlias}
    join ${table(target)} ${targetAlias} on ${targetAlias}.id = ${id} where ${linkAlias}.${link.ownColumn} = ${row}.id
    and ${targetAlias}.deleted_at is null${scope})`;
}
