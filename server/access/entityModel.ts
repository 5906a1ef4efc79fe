/** Entities as the server uses them: tables, relations, hooks. */
import { type SQL, sql } from 'drizzle-orm';
import { entities as registered } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import type { Field } from '../../schema/dsl/field';
import { relationName } from '../../schema/dsl/relation';
import type { EntityHooks } from './entityHooks';

export interface Relation {
  name: string;
  /** The declared field behind the relation: `fleet_id`, `fleet_ids`, `machines`. */
  field: Field;
  fieldName: string;
  target: Entity;
  /** At most one related row. */
  one: boolean;
}

const byName = new Map<string, Entity>();
const relations = new WeakMap<Entity, ReadonlyMap<string, Relation>>();

/** Registers further entities, as tests and extensions declare them. */
export function registerEntities(entities: readonly Entity[]): void {
  for (const entity of entities) byName.set(entity.name, entity);
}
registerEntities(registered);

export const registeredEntities = (): Entity[] => [...byName.values()];

let hooks: Readonly<Record<string, EntityHooks | undefined>> = {};

/** Registers the hooks of all entities. Called when the application is built: the files with hooks import this one. */
export function registerEntityHooks(byEntity: typeof hooks): void {
  hooks = byEntity;
}

export const hooksOf = (entity: Entity): EntityHooks => hooks[entity.name] ?? {};

export function entityNamed(name: string): Entity {
  const entity = byName.get(name);
  if (!entity) throw new Error(`No entity is called ${name}`);
  return entity;
}

export function relationsOf(entity: Entity): ReadonlyMap<string, Relation> {
  const cached = relations.get(entity);
  if (cached) return cached;
  const result = new Map<string, Relation>();
  for (const [fieldName, field] of Object.entries(entity.fields)) {
    const name = relationName(fieldName, field);
    if (name)
      result.set(name, { name, field, fieldName, target: entityNamed(field.to as string), one: field.kind === 'ref' });
  }
  relations.set(entity, result);
  return result;
}

export const table = (entity: Entity): SQL => sql`${sql.identifier(entity.name)}`;
export const stateTableSql = (entity: Entity): SQL => sql`${sql.identifier(`${entity.name}_state`)}`;
export const column = (row: SQL, name: string): SQL => sql`${row}.${sql.identifier(name)}`;
export const hasState = (entity: Entity): boolean =>
  Object.values(entity.fields).some((field) => field.store === 'state');
export const notDeleted = (row: SQL): SQL => sql`${row}.deleted_at is null`;

/** Link table of a `refs` field and its two columns. */
export function linkTableOf(entity: Entity, field: Field): { table: SQL; own: SQL; other: SQL; name: string } {
  const name = `${entity.name}_${field.to}`;
  return {
    name,
    table: sql`${sql.identifier(name)}`,
    own: sql`${sql.identifier(`${entity.name}_id`)}`,
    other: sql`${sql.identifier(`${field.to}_id`)}`,
  };
}

/**
 * State of one statement under construction: allocates unique aliases and records the tables read, which validate
 * cached counts.
 */
export class QueryContext {
  private count = 0;
  readonly tables = new Set<string>();
  constructor(private readonly prefix = 't') {}

  alias(): SQL {
    this.count += 1;
    return sql`${sql.identifier(`${this.prefix}${this.count}`)}`;
  }

  reads(name: string): void {
    this.tables.add(name);
  }
}
