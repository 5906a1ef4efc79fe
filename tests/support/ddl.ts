import type { Entity } from '../../schema/dsl/entity';
import { empty, snapshotOf, statementsBetween } from '../../server/db/migrations/ddl';
import { tablesOf } from '../../server/db/schema/entities';
import { triggersOf } from '../../server/db/schema/triggers';

/**
 * The statements that make the tables of `entities`, in the order in which they must run.
 * `present`: entities whose tables exist already and may be pointed at.
 */
export async function ddlOf(entities: readonly Entity[], present: readonly Entity[] = []): Promise<string[]> {
  const picture = (some: readonly Entity[]) =>
    snapshotOf(tablesOf(some), { triggers: triggersOf(some, {}), partitions: {} });
  return statementsBetween(present.length > 0 ? picture(present) : empty, picture([...present, ...entities]));
}
