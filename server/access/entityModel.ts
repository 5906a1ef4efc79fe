/** The declared entities as the server walks over them: tables, relations and the rows that a path reaches. */
import { type SQL, sql } from 'drizzle-orm';
import { entities as registered } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import type { Field } from '../../schema/dsl/field';
import { relationName } from '../../schema/dsl/relation';
import type { EntityHooks } from './entityHooks';

export interface Relation {
  name: string;
  /** The declared field that makes it: `fleet_id`, `fleet_ids`, `machines`. */
  field: Field;
  fieldName: string;
  target: Entity;
  /** Whether a row has at most one. */
  one: boolean;
}

const known = new Map<string, Entity>();
const relations = new WeakMap<Entity, ReadonlyMap<string, Relation>>();

/** Makes further entities known, as tests and extensions declare them. */
export function registerEntities(entities: readonly Entity[]): void {
  for (const entity of entities) known.set(entity.name, entity);
}
registerEntities(registered);

/** Every entity that is known. */
export const registeredEntities = (): Entity[] => [...known.values()];

let servers: Readonly<Record<string, EntityHooks | undefined>> = {};

/**
 * Tells what single entities add; handed in when the application is built, since those files themselves use this one.
 */
export function registerEntityHooks(given: typeof servers): void {
  servers = given;
}

export const hooksOf = (entity: Entity): EntityHooks => servers[entity.name] ?? {};

export function entityNamed(name: string): Entity {
  const entity = known.get(name);
  if (!entity) throw new Error(`No entity is called ${name}`);
  return entity;
}

export function relationsOf(entity: Entity): ReadonlyMap<string, Relation> {
  const remembered = relations.get(entity);
  if (remembered) return remembered;
  const found = new Map<string, Relation>();
  for (const [fieldName, field] of Object.entries(entity.fields)) {
    const name = relationName(fieldName, field);
    if (name)
      found.set(name, { name, field, fieldName, target: entityNamed(field.to as string), one: field.kind === 'ref' });
  }
  relations.set(entity, found);
  return found;
}

export const table = (entity: Entity): SQL => sql`${sql.identifier(entity.name)}`;
export const stateTableSql = (entity: Entity): SQL => sql`${sql.identifier(`${entity.name}_state`)}`;
export const column = (row: SQL, name: string): SQL => sql`${row}.${sql.identifier(name)}`;
export const hasState = (entity: Entity): boolean =>
  Object.values(entity.fields).some((field) => field.store === 'state');
export const notDeleted = (row: SQL): SQL => sql`${row}.deleted_at is null`;

/** The link table of a `refs` field and its two columns. */
export function linkTableOf(entity: Entity, field: Field): { table: SQL; own: SQL; other: SQL; name: string } {
  const name = `${entity.name}_${field.to}`;
  return {
    name,
    table: sql`${sql.identifier(name)}`,
    own: sql`${sql.identifier(`${entity.name}_id`)}`,
    other: sql`${sql.identifier(`${field.to}_id`)}`,
  };
}

/** Hands out aliases that are unique within one statement, and notes which tables the statement reads. */
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
