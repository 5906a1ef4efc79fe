/**
 * The SQL that makes the tables of declared entities. Used to generate migrations and by tests that declare entities of
 * their own; needs drizzle-kit.
 */
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { extensions } from '../schema/triggers';
import { turnedIntoParts } from './ddlParts';

/** A picture of all tables, as drizzle-kit compares and keeps it, with what it does not know beside it. */
export interface Snapshot {
  tables: ReturnType<typeof generateDrizzleJson>;
  triggers: readonly string[];
  /** The column whose ranges a partitioned table is cut into, by table. */
  partitions: Readonly<Record<string, string>>;
}

export const empty: Snapshot = { tables: generateDrizzleJson({}), triggers: [], partitions: {} };

/** The snapshot of some tables and of what belongs to them; `previous` is the one it follows. */
export function snapshotOf(
  tables: Record<string, unknown>,
  beside: Omit<Snapshot, 'tables'>,
  previous: Snapshot = empty,
): Snapshot {
  return { tables: generateDrizzleJson(tables, previous.tables.id), ...beside };
}

/**
 * Statements that lead from one snapshot to the next. Asks on the terminal whether something was renamed when that is
 * possible.
 */
export async function statementsBetween(before: Snapshot, after: Snapshot): Promise<string[]> {
  const turning = Object.keys(after.partitions).filter((name) => !(name in before.partitions));
  const isOther = (name: string) => !turning.includes(name);
  const changes = await generateMigration(only(before, isOther), only(after, isOther));
  for (const name of turning) {
    const made = await generateMigration(
      empty.tables,
      only(after, (one) => one === name),
    );
    changes.push(
      ...turnedIntoParts({
        name,
        by: after.partitions[name] as string,
        made,
        was: before.tables.tables[`public.${name}`],
      }),
    );
  }
  const triggers = after.triggers.filter((statement) => !before.triggers.includes(statement));
  return [
    ...(before === empty ? extensions : []),
    ...changes.map((statement) => statement.replace(/;\s*$/, '')),
    ...triggers,
  ];
}

const only = ({ tables }: Snapshot, isWanted: (name: string) => boolean): Snapshot['tables'] => ({
  ...tables,
  tables: Object.fromEntries(Object.entries(tables.tables).filter(([name]) => isWanted(name.replace(/^public\./, '')))),
});
