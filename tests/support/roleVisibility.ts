/** Rows of the test data that each role can and cannot see. */
import { sql } from 'drizzle-orm';
import type { Entity, RoleName } from '../../schema/dsl/entity';
import { entities } from '../../schema/index';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { idsInScope, type ScopedEntity, type World } from './world';

export const sortIds = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

export interface RoleVisibility {
  /** Ids of the initial rows by entity; rows added by tests have higher ids. */
  initialIds: Readonly<Record<string, readonly number[]>>;
  /** Sorted ids of the initial rows that the role sees. */
  visibleIds(role: RoleName, entity: Entity): number[];
  /** Ids of the initial rows that the role does not see. */
  hiddenIds(role: RoleName, entity: Entity): number[];
}

/** Reads the ids of all rows; must be called before a test adds rows. */
export async function readRoleVisibility(db: Queries, world: World): Promise<RoleVisibility> {
  const initialIds: Record<string, number[]> = {};
  for (const { name } of entities) {
    const rows = await db.select({ id: pg.integer }, sql`select id from ${sql.identifier(name)} order by id`);
    initialIds[name] = rows.map(({ id }) => id);
  }
  const visibleIds = (role: RoleName, { name, scope }: Entity): number[] =>
    sortIds(
      scope === 'global' || role === 'admin'
        ? (initialIds[name] ?? [])
        : (idsInScope(role, world)[name as ScopedEntity] ?? []),
    );
  return {
    initialIds,
    visibleIds,
    hiddenIds(role, entity) {
      const visibleIdSet = new Set(visibleIds(role, entity));
      return (initialIds[entity.name] ?? []).filter((id) => !visibleIdSet.has(id));
    },
  };
}
