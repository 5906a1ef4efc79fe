/**
 * The SQL that makes a table a partitioned one. A table that was there becomes its only part, with all rows and without
 * copying them.
 */

interface Turning {
  name: string;
  /** The column whose ranges are the parts. */
  by: string;
  /** The statements that would make the table and its indexes. */
  made: readonly string[];
  /** The table as it was, in drizzle-kit's words; `undefined`: it is new. */
  was: Was | undefined;
}

interface Was {
  columns: Record<string, { name: string; type: string; primaryKey: boolean }>;
  indexes: Record<string, { name: string }>;
  compositePrimaryKeys: Record<string, { name: string }>;
}

/**
 * The statements in the order in which they must run. The first part has no bounds: `partitions.ts` cuts it once the
 * time is known.
 */
export function turnedIntoParts({ name, by, made, was }: Turning): string[] {
  const past = `${name}_past`;
  const create = made.map((statement) =>
    statement.startsWith('CREATE TABLE ')
      ? `${statement.replace(/;?\s*$/, '')} PARTITION BY RANGE (${quoted(by)})`
      : statement,
  );
  const everything = 'for values from (minvalue) to (maxvalue)';
  if (!was) return [...create, `create table ${quoted(past)} partition of ${quoted(name)} ${everything}`];
  const columns = Object.values(was.columns);
  const serials = columns
    .filter(({ type }) => type.endsWith('serial'))
    .map((column) => ({ column: column.name, sequence: `${name}_${column.name}_seq` }));
  const keys = [
    ...Object.values(was.compositePrimaryKeys).map((key) => key.name),
    ...columns.filter(({ primaryKey }) => primaryKey).map(() => `${name}_pkey`),
  ];
  return [
    `alter table ${quoted(name)} rename to ${quoted(past)}`,
    // Attaching makes those of the new table; the old ones would keep the names that these need.
    ...keys.map((key) => `alter table ${quoted(past)} drop constraint ${quoted(key)}`),
    ...Object.values(was.indexes).map((index) => `drop index ${quoted(index.name)}`),
    ...serials.map(({ sequence }) => `alter sequence ${quoted(sequence)} rename to ${quoted(`${sequence}_past`)}`),
    ...create,
    ...serials.flatMap(({ column, sequence }) => [
      `select setval('${sequence}', nextval('${sequence}_past'))`,
      `alter table ${quoted(past)} alter column ${quoted(column)} drop default`,
      `drop sequence ${quoted(`${sequence}_past`)}`,
    ]),
    `alter table ${quoted(name)} attach partition ${quoted(past)} ${everything}`,
  ];
}

const quoted = (name: string) => `"${name}"`;
