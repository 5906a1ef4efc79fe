/**
 * Builds the SQL that turns a table into a partitioned one. An existing table becomes its only partition, with all rows
 * and without copying them.
 */

interface PartitioningInput {
  name: string;
  /** Column whose ranges are the partitions. */
  by: string;
  /** Statements that would create the table and its indexes. */
  createStatements: readonly string[];
  /** The table before, as in drizzle-kit's snapshot; `undefined` if it is new. */
  former: FormerTable | undefined;
}

interface FormerTable {
  columns: Record<string, { name: string; type: string; primaryKey: boolean }>;
  indexes: Record<string, { name: string }>;
  compositePrimaryKeys: Record<string, { name: string }>;
}

/**
 * Returns the statements in execution order. The first partition is unbounded; `maintainPartitions.ts` splits it
 * later, when the current time is known.
 */
export function partitionTableSql({ name, by, createStatements, former }: PartitioningInput): string[] {
  const past = `${name}_past`;
  const create = createStatements.map((statement) =>
    statement.startsWith('CREATE TABLE ')
      ? `${statement.replace(/;?\s*$/, '')} PARTITION BY RANGE (${quote(by)})`
      : statement,
  );
  const allValues = 'for values from (minvalue) to (maxvalue)';
  if (!former) return [...create, `create table ${quote(past)} partition of ${quote(name)} ${allValues}`];
  const columns = Object.values(former.columns);
  const serials = columns
    .filter(({ type }) => type.endsWith('serial'))
    .map((column) => ({ column: column.name, sequence: `${name}_${column.name}_seq` }));
  const keys = [
    ...Object.values(former.compositePrimaryKeys).map((key) => key.name),
    ...columns.filter(({ primaryKey }) => primaryKey).map(() => `${name}_pkey`),
  ];
  return [
    `alter table ${quote(name)} rename to ${quote(past)}`,
    // Attaching creates the keys of the new table, whose names the old ones would occupy.
    ...keys.map((key) => `alter table ${quote(past)} drop constraint ${quote(key)}`),
    ...Object.values(former.indexes).map((index) => `drop index ${quote(index.name)}`),
    ...serials.map(({ sequence }) => `alter sequence ${quote(sequence)} rename to ${quote(`${sequence}_past`)}`),
    ...create,
    ...serials.flatMap(({ column, sequence }) => [
      `select setval('${sequence}', nextval('${sequence}_past'))`,
      `alter table ${quote(past)} alter column ${quote(column)} drop default`,
      `drop sequence ${quote(`${sequence}_past`)}`,
    ]),
    `alter table ${quote(name)} attach partition ${quote(past)} ${allValues}`,
  ];
}

const quote = (name: string) => `"${name}"`;
