/** Entities as the server uses them: tables, relations, hooks. */
import { type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../schema/dsl/entity';
import type { Field } from '../../schema/dsl/field';
import { relationName } from '../../schema/dsl/relationName';
import type { EntityHooks, EntityModel, ModelEntity, Relation } from '../context/services';
import { linkOf, stateTable } from '../db/core/names';
import { createBuildCache } from '../shared/createBuildCache';

/**
 * Builds the model of one application. Copies the declarations, so that several applications in one process may share
 * them. Throws if a field refers to an entity that is not declared.
 */
export function createEntityModel(
  declarations: readonly Entity[],
  hooks: Readonly<Record<string, EntityHooks | undefined>>,
): EntityModel {
  const entities: ModelEntity[] = [];
  const model: EntityModel = {
    entities,
    find: (name) => entities.find((entity) => entity.name === name),
    require(name) {
      const entity = model.find(name);
      if (!entity) throw new Error(`No entity is called ${name}`);
      return entity;
    },
    cachedBuild: createBuildCache(),
  };
  for (const entity of declarations)
    entities.push({ ...entity, model, hooks: hooks[entity.name] ?? {}, relations: new Map() });
  for (const entity of entities) Object.assign(entity, { relations: relationsOf(entity) });
  return model;
}

function relationsOf({ fields, model }: ModelEntity): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>();
  for (const [fieldName, field] of Object.entries(fields)) {
    const name = relationName(fieldName, field);
    if (name)
      relations.set(name, {
        name,
        field,
        fieldName,
        target: model.require(field.to as string),
        isToOne: field.kind === 'ref',
      });
  }
  return relations;
}

export const table = (entity: Entity): SQL => sql`${sql.identifier(entity.name)}`;
export const stateTableSql = (entity: Entity): SQL => sql`${sql.identifier(stateTable(entity.name))}`;
export const column = (row: SQL, name: string): SQL => sql`${row}.${sql.identifier(name)}`;
export const hasState = (entity: Entity): boolean =>
  Object.values(entity.fields).some((field) => field.store === 'state');
/** Join of the state table as `s` to the alias `m`, if the entity has one. */
export const stateJoin = (entity: Entity): SQL =>
  hasState(entity) ? sql` join ${stateTableSql(entity)} s on s.id = m.id` : sql``;

/** SQL condition: the row is not soft-deleted. */
export const notDeleted = (row: SQL): SQL => sql`${row}.deleted_at is null`;

/** Link table of a `refs` field and its two columns. */
export function linkTableOf(
  entity: Entity,
  field: Field,
): { table: SQL; ownColumn: SQL; otherColumn: SQL; name: string } {
  const { table: name, from, to } = linkOf(entity.name, field.to as string);
  return {
    name,
    table: sql`${sql.identifier(name)}`,
    ownColumn: sql`${sql.identifier(from)}`,
    otherColumn: sql`${sql.identifier(to)}`,
  };
}

/**
 * State of one statement under construction: allocates unique aliases, and records the tables read so that cached
 * counts can be validated.
 */
export class QueryContext {
  private count = 0;
  readonly tables = new Set<string>();
  constructor(private readonly prefix = 't') {}

  /** Returns a new alias. */
  alias(): SQL {
    this.count += 1;
    return sql`${sql.identifier(`${this.prefix}${this.count}`)}`;
  }

  /** Records that the statement reads a table; `*` stands for unknown tables, whose counts are not cached. */
  reads(name: string): void {
    this.tables.add(name);
  }
}
