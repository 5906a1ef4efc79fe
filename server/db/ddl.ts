/** The SQL that makes the tables of declared entities. Used to generate migrations and by tests that declare entities of their own; needs drizzle-kit. */
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import type { Entity } from '../../schema/dsl/entity';
import { tablesOf } from './tables/entities';
import { extensions, triggersOf } from './tables/triggers';

/** A picture of all tables, as drizzle-kit compares and keeps it, with the triggers beside it. */
export interface Snapshot {
  tables: ReturnType<typeof generateDrizzleJson>;
  triggers: readonly string[];
}

export const empty: Snapshot = { tables: generateDrizzleJson({}), triggers: [] };

/** The snapshot of some tables and of the triggers that belong to them; `previous` is the one it follows. */
export function snapshotOf(tables: Record<string, unknown>, triggers: readonly string[], previous: Snapshot = empty): Snapshot {
  return { tables: generateDrizzleJson(tables, previous.tables.id), triggers: [...triggers] };
}

/** Statements that lead from one snapshot to the next. Asks on the terminal whether something was renamed when that is possible. */
export async function statementsBetween(before: Snapshot, after: Snapshot): Promise<string[]> {
  const changes = await generateMigration(before.tables, after.tables);
  const triggers = after.triggers.filter((statement) => !before.triggers.includes(statement));
  return [...(before === empty ? extensions : []), ...changes.map((statement) => statement.replace(/;\s*$/, '')), ...triggers];
}

/**
 * The statements that make the tables of `entities`, in the order in which they must run.
 * `present`: entities whose tables exist already and may be pointed at.
 */
export async function ddlOf(entities: readonly Entity[], present: readonly Entity[] = []): Promise<string[]> {
  const picture = (some: readonly Entity[]) => snapshotOf(tablesOf(some), triggersOf(some, {}));
  return statementsBetween(present.length > 0 ? picture(present) : empty, picture([...present, ...entities]));
}
