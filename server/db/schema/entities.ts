/** Tables of declared entities, computed: a new entity or field needs nothing here. */
import { isNull, type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  check,
  foreignKey,
  type IndexBuilder,
  index,
  integer,
  type PgTable,
  type PgTableExtraConfigValue,
  type PgTableWithColumns,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { type EntityName, entities } from '../../../schema';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { collatedSql, columnOf, extraColumns, instantColumn, isProse, sqlLiteral } from '../core/columns';
import { linkOf, stateTable, storedFields, uniqueKey } from '../core/names';
import { type ColumnUses, collectColumnUses, scopeColumns } from './indexes';

type Columns = Record<string, AnyPgColumn>;
export type Tables = Record<string, PgTable>;

/** Row tables, side tables and link tables of the given entities, by name. */
export function buildTables(entities: readonly Entity[]): Tables {
  const tables: Tables = {};
  const uses = collectColumnUses(entities);
  const idOf = (name: string) => columnNamed(tables, name, 'id');
  for (const entity of entities) {
    tables[entity.name] = rowTable(entity, uses, idOf);
    if (storedFields(entity, 'state').length > 0) tables[stateTable(entity.name)] = sideTable(entity, uses, idOf);
    for (const field of Object.values(entity.fields))
      if (field.kind === 'refs' && field.to) Object.assign(tables, linkTable(entity, field.to, idOf));
  }
  return tables;
}

/** Tables of the registered entities. */
export const entityTables: Tables = buildTables(entities);

/** Column `id` of a registered entity's table, for foreign keys: `.references(() => rowId('users'))`. */
export const rowId = (entity: EntityName): AnyPgColumn => columnNamed(entityTables, entity, 'id');

function columnNamed(tables: Tables, table: string, column: string): AnyPgColumn {
  const result = (tables[table] as unknown as Columns | undefined)?.[column];
  if (!result) throw new Error(`There is no column ${table}.${column}`);
  return result;
}

type IdOf = (entity: string) => AnyPgColumn;

function rowTable(entity: Entity, uses: ColumnUses, idOf: IdOf): PgTable {
  const fields = storedFields(entity, 'row').map((name): [string, Field] => [name, entity.fields[name] as Field]);
  const columns = {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    ...Object.fromEntries(fields.map(([name, field]) => [name, columnOf(name, field)])),
    ...extraColumns[entity.name]?.(),
    created_at: instantColumn('created_at').notNull().defaultNow(),
    updated_at: instantColumn('updated_at').notNull().defaultNow(),
    version: integer('version').notNull().default(1),
    deleted_at: instantColumn('deleted_at'),
  };
  return pgTable(entity.name, columns, (table) => {
    const tableColumns = table as unknown as Columns & { id: AnyPgColumn; deleted_at: AnyPgColumn };
    const notDeleted = isNull(tableColumns.deleted_at);
    return [
      ...fields.flatMap(([name, field]) =>
        buildKeys({ entity: entity.name, name, field, column: tableColumns[name] as AnyPgColumn, notDeleted, idOf }),
      ),
      ...buildIndexes({
        table: entity.name,
        names: [...fields.map(([name]) => name), 'created_at'],
        uses: uses.get(entity.name),
        at: tableColumns,
        notDeleted,
        fields: entity.fields,
        listOrder: { name: entity.list.sort, scope: scopeColumns(entity) },
      }),
      ...(extraKeys[entity.name]?.(tableColumns as unknown as KeyColumns, notDeleted) ?? []),
    ];
  });
}

type KeyColumns = Record<RunKey | MachineFigure, AnyPgColumn>;
type RunKey = 'machine_id' | 'external_id' | 'started_at' | 'ended_at';
type MachineFigure = 'id' | 'location_id' | 'fleet_id' | 'type_id' | 'stock_state' | 'is_dummy' | 'working_radius_m2';
/** Keys and indexes over several columns, by entity. */
const extraKeys: Readonly<Record<string, (columns: KeyColumns, notDeleted: SQL) => PgTableExtraConfigValue[]>> = {
  machines: (columns, notDeleted) => [
    // Contains what figures of whole fleets count and add up: the counts of facets, the planned areas of locations.
    index('machines_figures_idx')
      .on(
        columns.location_id,
        columns.fleet_id,
        columns.type_id,
        columns.stock_state,
        columns.is_dummy,
        columns.working_radius_m2,
        columns.id,
      )
      .where(notDeleted),
  ],
  runs: (columns, notDeleted) => [
    uniqueIndex(uniqueKey('runs', 'external_id')).on(columns.machine_id, columns.external_id).where(notDeleted),
    index('runs_deleted_external_id').on(columns.machine_id, columns.external_id).where(sql`deleted_at is not null`),
    index('runs_machine_span').on(columns.machine_id, columns.started_at, columns.ended_at),
  ],
};

/** Primary key and the frequently written columns only; a trigger on the entity's table inserts the row. */
function sideTable(entity: Entity, uses: ColumnUses, idOf: IdOf): PgTable {
  const name = stateTable(entity.name);
  const names = storedFields(entity, 'state');
  const columns = {
    id: integer('id').primaryKey(),
    ...Object.fromEntries(names.map((field) => [field, columnOf(field, entity.fields[field] as Field)])),
  };
  return pgTable(name, columns, (table) => {
    const tableColumns = table as unknown as Columns & { id: AnyPgColumn };
    return [
      foreignKey({ name: `${name}_id_fkey`, columns: [tableColumns.id], foreignColumns: [idOf(entity.name)] }).onDelete(
        'cascade',
      ),
      ...names.flatMap((field) =>
        buildChecks({
          table: name,
          name: field,
          field: entity.fields[field] as Field,
          column: tableColumns[field] as AnyPgColumn,
        }),
      ),
      ...buildIndexes({ table: name, names, uses: uses.get(entity.name), at: tableColumns, fields: entity.fields }),
    ];
  });
}

function linkTable(entity: Entity, target: string, idOf: IdOf): Tables {
  const { table, from, to } = linkOf(entity.name, target);
  const columns = { [from]: integer(from).notNull(), [to]: integer(to).notNull() };
  const drizzleTable: PgTableWithColumns<{ name: string; schema: undefined; columns: Columns; dialect: 'pg' }> =
    pgTable(table, columns, (linkTable) => {
      const [ownId, targetId] = [linkTable[from] as AnyPgColumn, linkTable[to] as AnyPgColumn];
      return [
        primaryKey({ name: `${table}_pkey`, columns: [ownId, targetId] }),
        foreignKey({ name: `${table}_${from}_fkey`, columns: [ownId], foreignColumns: [idOf(entity.name)] }).onDelete(
          'cascade',
        ),
        foreignKey({ name: `${table}_${to}_fkey`, columns: [targetId], foreignColumns: [idOf(target)] }).onDelete(
          'cascade',
        ),
        index(`${table}_${to}_idx`).on(targetId, ownId),
      ];
    });
  return { [table]: drizzleTable };
}

interface KeyColumn {
  entity: string;
  name: string;
  field: Field;
  column: AnyPgColumn;
  notDeleted: SQL;
  idOf: IdOf;
}

function buildKeys({ entity, name, field, column, notDeleted, idOf }: KeyColumn): PgTableExtraConfigValue[] {
  const keys: PgTableExtraConfigValue[] = buildChecks({ table: entity, name, field, column });
  if (field.kind === 'ref' && field.to)
    keys.push(
      foreignKey({ name: `${entity}_${name}_fkey`, columns: [column], foreignColumns: [idOf(field.to)] }).onDelete(
        'restrict',
      ),
      // Over deleted rows too: before a row is purged, PostgreSQL looks for every row that refers to it.
      index(`${entity}_${name}_fkey_idx`).on(column),
    );
  if (field.unique)
    keys.push(
      uniqueIndex(uniqueKey(entity, name))
        .on(field.kind === 'email' ? sql`lower(${column})` : column)
        .where(notDeleted),
    );
  return keys;
}

/** Check constraints, which apply to every writer: allowed choices and bounds of numbers. */
function buildChecks({
  table,
  name,
  field,
  column,
}: {
  table: string;
  name: string;
  field: Field;
  column: AnyPgColumn;
}): PgTableExtraConfigValue[] {
  const conditions: SQL[] = [];
  if (field.kind === 'choice')
    conditions.push(sql`${column} in (${sql.raw((field.choices ?? []).map(sqlLiteral).join(', '))})`);
  if (['integer', 'number', 'money'].includes(field.kind)) {
    if (field.min !== undefined) conditions.push(sql`${column} >= ${sql.raw(sqlLiteral(field.min))}`);
    if (field.max !== undefined) conditions.push(sql`${column} <= ${sql.raw(sqlLiteral(field.max))}`);
  }
  return conditions.length > 0 ? [check(`${table}_${name}_check`, sql.join(conditions, sql` and `))] : [];
}

/**
 * Limits the pending list of GIN indexes (kB), which every search scans. A short list keeps searches fast; without any,
 * writes are five times slower.
 */
const shortList = { gin_pending_list_limit: 256 };

interface IndexesInput {
  table: string;
  names: readonly string[];
  uses: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  at: Columns & { id: AnyPgColumn };
  notDeleted?: SQL;
  fields: Record<string, Field>;
  /** The default order of lists, and the columns by which the scopes of callers limit them. */
  listOrder?: { name: string; scope: readonly string[] };
}

/**
 * Indexes of an entity's columns. An index `(column, id)` over rows that are not deleted serves sorts and filters in
 * stable order without reading the table; a search inside text needs trigrams. The index of the default order also
 * contains the columns of scopes, so that late pages of a limited list are found without reading the table either.
 */
function buildIndexes({ table, names, uses, at, notDeleted, fields, listOrder }: IndexesInput): IndexBuilder[] {
  const restrictIndex = (builder: IndexBuilder) => (notDeleted ? builder.where(notDeleted) : builder);
  return names.flatMap((name) => {
    const column = at[name] as AnyPgColumn;
    const field = fields[name] as Field;
    const indexes: IndexBuilder[] = [];
    if (field.kind === 'tags')
      return uses?.has(name) ? [restrictIndex(index(`${table}_${name}_idx`).using('gin', column).with(shortList))] : [];
    if (uses?.get(name)?.has('order')) {
      const scope = listOrder?.name === name ? listOrder.scope.map((key) => at[key] as AnyPgColumn) : [];
      indexes.push(
        restrictIndex(index(`${table}_${name}_idx`).on(isProse(field) ? collatedSql(column) : column, at.id, ...scope)),
      );
    }
    if (uses?.get(name)?.has('contains'))
      indexes.push(
        restrictIndex(index(`${table}_${name}_trgm`).using('gin', sql`${column} gin_trgm_ops`).with(shortList)),
      );
    return indexes;
  });
}
