/** Limits audit entries to what their reader may see: readable fields, and references to visible rows. */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import { column, table } from '../../access/entityModel';
import { hasGlobalScope, scopeWhere } from '../../access/scopeWhere';
import { titleSql } from '../../access/titleSql';
import { type Caller, hasPermission } from '../../context/caller';
import type { EntityHooks, EntityModel, ModelEntity } from '../../context/services';
import { formatValue } from '../../crud/export/exportRoute';
import { readableFields } from '../../crud/query/fields';
import { labelOf, nameOf } from '../../i18n/messages';

const recordedEntities = ({ entities }: EntityModel): ModelEntity[] =>
  entities.filter(({ scope }) => scope !== 'record');

/** A row of the audit table under the alias `row`, as `caller` reads it. `entity` is the entity of the audit itself. */
interface AuditRow {
  entity: ModelEntity;
  row: SQL;
  caller: Caller;
}

const key = ({ name }: ModelEntity, field: string) => `${name}.${field}`;

/**
 * Keys `entity.field` of all fields that the caller may read, and of passwords, which reveal only that they changed.
 */
const readableKeys = (model: EntityModel, caller: Caller): string[] =>
  recordedEntities(model)
    .filter(({ name }) => hasPermission(caller, `${name}.show`))
    .flatMap((entity) =>
      [...readableFields(entity, caller), ...(entity.fields.password ? ['password'] : [])].map((field) =>
        key(entity, field),
      ),
    );

/** SQL: changed fields that the caller may read, as `changed (key, value)`. */
const changedFieldsSql = ({ entity, row, caller }: AuditRow): SQL =>
  sql`jsonb_each(${column(row, 'detail')}) changed
    where ${column(row, 'entity')} || '.' || changed.key
      = any(${sql.param(readableKeys(entity.model, caller))}::text[])`;

/**
 * SQL: the value of a changed field before (index 0) or after (1). In references, `as` prints each row; rows out of
 * scope are omitted.
 */
function valueSql(
  row: SQL,
  index: 0 | 1,
  { caller, as, targets }: { caller: Caller; as: (target: ModelEntity) => SQL; targets: readonly ReferencedEntity[] },
): SQL {
  const value = sql`(changed.value -> ${sql.raw(String(index))})`;
  const branches = targets.map(({ target, keys }) => {
    const visible = sql`from ${table(target)} referenced where ${scopeWhere(target, caller, referenced)}`;
    return sql`when ${column(row, 'entity')} || '.' || changed.key = any(${sql.param(keys)}::text[]) then case
      jsonb_typeof(${value})
      when 'number' then (select to_jsonb(${as(target)}) ${visible} and referenced.id = ${value}::int)
      when 'array' then (select jsonb_agg(${as(target)} order by referenced.id) ${visible}
      and referenced.id in (select jsonb_array_elements_text(${value})::int))
      end`;
  });
  return branches.length === 0 ? value : sql`case ${sql.join(branches, sql` `)} else ${value} end`;
}

const referenced = sql.raw('referenced');

interface ReferencedEntity {
  target: ModelEntity;
  /** Keys of the fields that reference the entity. */
  keys: string[];
}

function referencedEntities(model: EntityModel): ReferencedEntity[] {
  const keysByTarget = new Map<string, string[]>();
  for (const entity of recordedEntities(model))
    for (const [name, { kind, to }] of Object.entries(entity.fields))
      if (to && kind !== 'many') addToGroup(keysByTarget, to, key(entity, name));
  return [...keysByTarget].map(([to, keys]) => ({ target: model.require(to), keys }));
}

/** SQL: changes with the stored values; ids of rows that the caller may not see are omitted. */
function changesSql({ entity, row, caller }: AuditRow): SQL {
  const values = {
    caller,
    as: () => sql`referenced.id`,
    targets: referencedEntities(entity.model).filter(({ target }) => !hasGlobalScope(target, caller)),
  };
  return sql`(
    select coalesce(json_agg(json_build_object('field', changed.key, 'before', ${valueSql(row, 0, values)}, 'after',
    ${valueSql(row, 1, values)}) order by changed.key), '[]')
    from ${changedFieldsSql({ entity, row, caller })})`;
}

/** SQL: like `changesSql`, with titles in place of ids. */
function titledChangesSql({ entity, row, caller }: AuditRow): SQL {
  const values = {
    caller,
    as: (target: ModelEntity) => titleSql(target, { row: referenced, language: caller.language }),
    targets: referencedEntities(entity.model),
  };
  return sql`(
    select json_agg(json_build_object('entity', ${column(row, 'entity')}, 'field', changed.key, 'before',
    ${valueSql(row, 0, values)}, 'after', ${valueSql(row, 1, values)}) order by changed.key)
    from ${changedFieldsSql({ entity, row, caller })})`;
}

interface TitledChange {
  entity: string;
  field: string;
  before: unknown;
  after: unknown;
}

/** Prints a change, such as "Price: 100 → 120". */
function sentence(
  { entity: name, field, before, after }: TitledChange,
  { entity: { model }, caller }: Omit<AuditRow, 'row'>,
): string {
  const entity = model.require(name);
  const print = (value: unknown) =>
    value === null
      ? '–'
      : entity.fields[field]?.to
        ? [value].flat().join(', ')
        : String(formatValue(value, field, { entity, caller }));
  const label = labelOf(caller.language, entity, field);
  if (entity.fields[field]?.kind === 'password') return label;
  return `${label}: ${before === null ? '' : `${print(before)} → `}${print(after)}`;
}

export const auditHooks: EntityHooks = {
  derived: {
    at: ({ row }) => column(row, 'created_at'),
    field: (context) =>
      sql`(select coalesce(array_agg(changed.key order by changed.key), '{}') from ${changedFieldsSql(context)})`,
    changes: changesSql,
  },
  exportFormats: {
    entity: {
      sql: ({ row }) => column(row, 'entity'),
      format: (value, { caller }) => nameOf(caller.language, String(value)),
    },
    changes: {
      sql: titledChangesSql,
      format: (value, context) => (value as TitledChange[]).map((change) => sentence(change, context)).join('; '),
    },
  },
};
