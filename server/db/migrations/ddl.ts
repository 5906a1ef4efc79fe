/**
 * Builds the SQL that creates the tables of declared entities. For generating migrations and for tests with entities of
 * their own; needs drizzle-kit.
 */
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { extensions } from '../schema/triggers';
import { partitionTableSql } from './partitionTableSql';

/** Schema snapshot: the tables as drizzle-kit stores them, with triggers and partitions, which it does not know. */
export interface Snapshot {
  tables: ReturnType<typeof generateDrizzleJson>;
  triggers: readonly string[];
  /** Partition column by table. */
  partitions: Readonly<Record<string, string>>;
}

export const emptySnapshot: Snapshot = { tables: generateDrizzleJson({}), triggers: [], partitions: {} };

/** Snapshot of tables with their triggers and partitions; `previous` is the snapshot before it. */
export function snapshotOf(
  tables: Record<string, unknown>,
  additions: Omit<Snapshot, 'tables'>,
  previous: Snapshot = emptySnapshot,
): Snapshot {
  return { tables: generateDrizzleJson(tables, previous.tables.id), ...additions };
}

/** Statements that migrate one snapshot to the next. Asks on the terminal whether a change could be a rename. */
export async function statementsBetween(before: Snapshot, after: Snapshot): Promise<string[]> {
  const newlyPartitioned = Object.keys(after.partitions).filter((name) => !(name in before.partitions));
  const isOther = (name: string) => !newlyPartitioned.includes(name);
  const changes = await generateMigration(restrictTo(before, isOther), restrictTo(after, isOther));
  for (const name of newlyPartitioned) {
    const migration = await generateMigration(
      emptySnapshot.tables,
      restrictTo(after, (other) => other === name),
    );
    changes.push(
      ...partitionTableSql({
        name,
        by: after.partitions[name] as string,
        createStatements: migration,
        former: before.tables.tables[`public.${name}`],
      }),
    );
  }
  const triggers = after.triggers.filter((statement) => !before.triggers.includes(statement));
  return [
    ...(before === emptySnapshot ? extensions : []),
    ...changes.map((statement) => statement.replace(/;\s*$/, '')),
    ...triggers,
  ];
}

const restrictTo = ({ tables }: Snapshot, isWanted: (name: string) => boolean): Snapshot['tables'] => ({
  ...tables,
  tables: Object.fromEntries(Object.entries(tables.tables).filter(([name]) => isWanted(name.replace(/^public\./, '')))),
});
