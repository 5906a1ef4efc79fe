import type { Entity } from '../../schema/dsl/entity';
import { emptySnapshot, snapshotOf, statementsBetween } from '../../server/db/migrations/ddl';
import { buildTables } from '../../server/db/schema/entities';
import { buildTriggers } from '../../server/db/schema/triggers';

/**
 * Statements that create the tables of `entities`, in execution order. `presentEntities`: entities whose tables exist
 * and may be referenced.
 */
export async function buildDdl(
  entities: readonly Entity[],
  presentEntities: readonly Entity[] = [],
): Promise<string[]> {
  const snapshot = (declaredEntities: readonly Entity[]) =>
    snapshotOf(buildTables(declaredEntities), { triggers: buildTriggers(declaredEntities, {}), partitions: {} });
  return statementsBetween(
    presentEntities.length > 0 ? snapshot(presentEntities) : emptySnapshot,
    snapshot([...presentEntities, ...entities]),
  );
}
