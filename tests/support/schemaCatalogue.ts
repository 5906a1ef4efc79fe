/** Reads the schema of a database, and finds changes that break a program written for an earlier version of it. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';

export interface CatalogueColumn {
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
}

/** A unique index, foreign key or check constraint, with the columns that it uses. */
export interface CatalogueRule {
  kind: 'unique' | 'foreign key' | 'check';
  columns: string[];
  definition: string;
}

export interface CatalogueTable {
  columns: Record<string, CatalogueColumn>;
  /** Constraints and unique indexes by name. */
  rules: Record<string, CatalogueRule>;
  triggers: string[];
}

export type SchemaCatalogue = Record<string, CatalogueTable>;

/** Reads the tables of the schema `public`. Partitions are read as part of their parent. */
export async function readCatalogue(db: Queries): Promise<SchemaCatalogue> {
  const rows = await db.select(
    { name: pg.text, columns: pg.json(), rules: pg.json(), triggers: pg.json() },
    sql`
    select c.relname as name,
      (select json_object_agg(a.attname, json_build_object('type', format_type(a.atttypid, a.atttypmod),
          'isRequired', a.attnotnull, 'hasDefault', a.atthasdef or a.attidentity <> ''))
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_object_agg(r.name, r.rule) from (
        select i.relname as name, json_build_object('kind', 'unique', 'definition', pg_get_indexdef(x.indexrelid),
          'columns', (select coalesce(json_agg(a.attname), '[]') from pg_attribute a
            where a.attrelid = c.oid and a.attnum = any(x.indkey::int2[]))) as rule
        from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid and x.indisunique
        union all
        select k.conname, json_build_object('kind', case k.contype when 'f' then 'foreign key' else 'check' end,
          'definition', pg_get_constraintdef(k.oid),
          'columns', (select coalesce(json_agg(a.attname), '[]') from pg_attribute a
            where a.attrelid = c.oid and a.attnum = any(k.conkey)))
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('f', 'c')
      ) r), '{}') as rules,
      (select coalesce(json_agg(t.tgname order by t.tgname), '[]') from pg_trigger t
        where t.tgrelid = c.oid and not t.tgisinternal) as triggers
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, ...table }) => [name, table as unknown as CatalogueTable]));
}

/**
 * Changes from `before` to `after` that break a program written for `before`, as sentences: something that it reads or
 * names is gone or has another type, or something that it writes is rejected.
 */
export function findContractions(before: SchemaCatalogue, after: SchemaCatalogue): string[] {
  return Object.entries(before).flatMap(([name, table]) => {
    const nextTable = after[name];
    if (!nextTable) return [`table ${name} is gone`];
    return [
      ...findColumnContractions(table, nextTable),
      ...findRuleContractions(table, nextTable),
      ...findTriggerContractions(table, nextTable),
    ].map((change) => `${name}: ${change}`);
  });
}

function* findColumnContractions(before: CatalogueTable, after: CatalogueTable): Generator<string> {
  for (const [name, column] of Object.entries(before.columns)) {
    const nextColumn = after.columns[name];
    if (!nextColumn) yield `column ${name} is gone`;
    else if (nextColumn.type !== column.type) yield `column ${name} is ${nextColumn.type}, was ${column.type}`;
    else if (nextColumn.isRequired && !column.isRequired) yield `column ${name} is required`;
    else if (nextColumn.isRequired && !nextColumn.hasDefault && column.hasDefault)
      yield `column ${name} has no default`;
  }
  for (const [name, { isRequired, hasDefault }] of Object.entries(after.columns))
    if (!before.columns[name] && isRequired && !hasDefault) yield `new column ${name} is required and has no default`;
}

function* findRuleContractions(before: CatalogueTable, after: CatalogueTable): Generator<string> {
  for (const [name, rule] of Object.entries(before.rules)) {
    const nextRule = after.rules[name];
    // `on conflict` names the columns of a unique index, so the index must stay.
    if (!nextRule && rule.kind === 'unique') yield `unique ${name} is gone`;
    if (nextRule && nextRule.definition !== rule.definition && !isWiderCheck(rule, nextRule))
      yield `${rule.kind} ${name} is another`;
  }
  for (const [name, { kind, columns }] of Object.entries(after.rules)) {
    if (before.rules[name]) continue;
    const isOfNewColumns = columns.length > 0 && columns.some((column) => !before.columns[column]);
    if (!isOfNewColumns) yield `new ${kind} ${name}`;
  }
}

function* findTriggerContractions(before: CatalogueTable, after: CatalogueTable): Generator<string> {
  for (const name of before.triggers) if (!after.triggers.includes(name)) yield `trigger ${name} is gone`;
}

const literal = /'(?:[^']|'')*'(?:::[a-z ]+)?/g;

/** Whether a check on a list of words only accepts additional words. */
function isWiderCheck(before: CatalogueRule, after: CatalogueRule): boolean {
  const words = ({ definition }: CatalogueRule) => new Set(definition.match(literal));
  const form = ({ definition }: CatalogueRule) => definition.replaceAll(literal, '?').replace(/\?(, \?)+/g, '?');
  const acceptedWords = words(after);
  return (
    before.kind === 'check' &&
    form(before) === form(after) &&
    [...words(before)].every((word) => acceptedWords.has(word))
  );
}
