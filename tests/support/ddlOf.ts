import type { Entity } from '../../schema/dsl/entity';
import { emptySnapshot, snapshotOf, statementsBetween } from '../../server/db/migrations/ddl';
import { tablesOf } from '../../server/db/schema/entities';
import { triggersOf } from '../../server/db/schema/triggers';

/**
 * Statements that create the tables of `entities`, in execution order. `present`: entities whose tables exist and may
 * be referenced.
 */
export async function ddlOf(entities: readonly Entity[], present: readonly Entity[] = []): Promise<string[]> {
  const snapshot = (declared: readonly Entity[]) =>
    snapshotOf(tablesOf(declared), { triggers: triggersOf(declared, {}), partitions: {} });
  return statementsBetween(present.length > 0 ? snapshot(present) : emptySnapshot, snapshot([...present, ...entities]));
}
