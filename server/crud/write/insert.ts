/**
 * Creates a row without a transaction: one statement checks and stores it, a second one, sent in the same pipeline,
 * reads it back.
 */
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { column, table } from '../../access/entityModel';
import { hasGlobalScope } from '../../access/scopeWhere';
import { titleSql } from '../../access/titleSql';
import { accessVersionSql } from '../../auth/loadCaller';
import type { ModelEntity } from '../../context/services';
import { sqlTypeOf } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { printStatement, type Statement } from '../../db/core/statement';
import { callerKey, runStatement } from '../query/statementCache';
import type { RowResult } from '../read/readList';
import {
  checkColumnSql,
  checkShape,
  checkSql,
  type DatabaseCheck,
  databaseChecksOf,
  reportFailures,
  runDatabaseChecks,
} from './databaseChecks';
import type { Draft } from './draft';
import { columnValues, type WriteResult } from './rowWrites';
import { insertColumnsOf, todayOf, validateRules } from './validateDraft';
import { actorsOf, actorsSql, auditColumns, detailOf } from './writeAuditEntries';

/** Whether a single insert stores the new row completely, so that it needs no transaction. */
export const isSingleStatementInsert = ({ entity, caller, body }: Pick<Draft, 'entity' | 'caller' | 'body'>): boolean =>
  hasGlobalScope(entity, caller) &&
  !entity.hooks.after &&
  body.images.size === 0 &&
  !Object.values(body.values).some(Array.isArray);

/** Two ways to read the new row: as the row last inserted on the connection, or by id. */
export interface InsertedRowReaders {
  readInserted(db: Queries): Promise<RowResult>;
  readById(db: Queries, id: number): Promise<RowResult>;
}

export interface InsertResult {
  writeResult: WriteResult;
  rowResult: PromiseSettledResult<RowResult>;
}

/**
 * Stores the row if it is valid and the caller's access version is current. Throws 422 with the problems of an invalid
 * row. Returns `undefined`, with nothing stored, if the version has moved.
 */
export async function insertWithoutTransaction(
  draft: Draft,
  readers: InsertedRowReaders,
): Promise<InsertResult | undefined> {
  const draftRules = await validateRules(draft);
  await draftRules.runBefore({ insertComputes: true });
  if (!draftRules.isValid()) {
    await runDatabaseChecks(draft, draftRules);
    draftRules.throwIfInvalid();
  }
  const { values } = draftRules;
  const columns = columnValues(draft.entity, values);
  const { statement, checks, computedNames } = draft.entity.model.cachedBuild(cacheKeyOf(draft, columns), () =>
    buildInsert(draft, columns),
  );
  const { actor, as, token } = actorsOf(draft.caller);
  const enteredValues = Object.fromEntries(Object.entries(values).filter(([name]) => !computedNames.includes(name)));
  const detail = JSON.stringify(detailOf(draft.entity, { after: enteredValues }));
  const parameters = {
    ...Object.fromEntries(columns),
    '@actor': actor,
    '@as': as,
    '@token': token,
    '@detail': detail,
    '@today': todayOf(draft.services),
    access: draft.caller.accessVersion,
  };
  const { db } = draft.services;
  const shape = { ...checkShape(checks), access: pg.double, id: pg.integer.nullable };
  const insert = (queries: Queries) => runStatement(queries, shape, statement, parameters);
  const readAcceptedId = ([row]: RowOf<typeof shape>[]): number | null => {
    reportFailures(draft, { checks, fail: draftRules.fail }, row);
    draftRules.throwIfInvalid();
    return row?.id ?? null;
  };
  if (db.kind === 'pglite') {
    // The embedded database has one connection, so a pipeline would make all other callers wait.
    const id = readAcceptedId(await insert(db));
    if (id === null) return undefined;
    const [rowResult] = await Promise.allSettled([readers.readById(db, id)]);
    return { writeResult: { id, values }, rowResult };
  }
  const [insertion, rowResult] = await db.inOrder((queries) =>
    Promise.allSettled([insert(queries), readers.readInserted(queries)]),
  );
  if (insertion.status === 'rejected') throw insertion.reason;
  const id = readAcceptedId(insertion.value);
  return id === null ? undefined : { writeResult: { id, values }, rowResult };
}

/** Cache key: everything that shapes the statement; of each value, only whether it is null. */
const cacheKeyOf = ({ entity, caller }: Draft, columns: readonly [string, unknown][]): string =>
  JSON.stringify(['insert', entity.name, callerKey(caller), columns.map(([name, value]) => [name, value === null])]);

/**
 * One statement that runs the checks, stores the row if none fails, and writes the audit entry. Placeholders: column
 * names, `@actor`, `@as`, `@token`, `@detail`, `@today`, `access`.
 */
function buildInsert(
  draft: Draft,
  columns: readonly [string, unknown][],
): { statement: Statement; checks: DatabaseCheck[]; computedNames: readonly string[] } {
  const { entity, caller } = draft;
  const placeholders: Record<string, Placeholder> = Object.fromEntries(
    columns.filter(([, value]) => value !== null).map(([name]) => [name, sql.placeholder(name)]),
  );
  const checks = databaseChecksOf(draft, { values: placeholders, isFieldValid: () => true });
  const conditions = [
    ...checks.map((_, index) => sql`not ${checkColumnSql(index)}`),
    sql`access = ${sql.placeholder('access')}::float8`,
  ];
  const computedColumns = new Map(insertColumnsOf(entity, placeholders, sql.placeholder('@today')));
  const values = new Map([
    ...columns.map(([name]) => [name, sql`${placeholders[name] ?? sql`null`}::${typeSql(entity, name)}`] as const),
    ...computedColumns,
  ]);
  const names = [...values.keys()].map((name) => sql`${sql.identifier(name)}`);
  const computedDetails = [...computedColumns.keys()].map((name) => {
    const value = column(sql.raw('inserted'), name);
    return sql` || case when ${value} is null then '{}'
      else jsonb_build_object(${name}::text, jsonb_build_array(null, ${value})) end`;
  });
  const actors = actorsSql({
    actor: sql.placeholder('@actor'),
    as: sql.placeholder('@as'),
    token: sql.placeholder('@token'),
  });
  const title = titleSql(entity, { row: sql.raw('inserted'), language: caller.language });
  const checkColumns = joinSql([...checks.map(checkSql), sql`${sql.raw(accessVersionSql)} as access`]);
  const statement = printStatement(sql`
    with checked as materialized (select ${checkColumns}),
      inserted as (insert into ${table(entity)} (${joinSql([sql`created_at`, ...names])})
      select ${joinSql([sql`now()`, ...values.values()])} from checked where ${sql.join(conditions, sql` and `)}
      returning *),
      audited as (insert into audit (${auditColumns}) select ${actors}, 'create', ${entity.name}::text, inserted.id,
      ${title}, ${sql.placeholder('@detail')}::text::jsonb${sql.join(computedDetails)} from inserted)
    select checked.*, (select id from inserted) as id from checked`);
  return { statement, checks, computedNames: [...computedColumns.keys()] };
}

const typeSql = (entity: ModelEntity, name: string): SQL => sql.raw(sqlTypeOf(entity.fields[name] as Field));
const joinSql = (expressions: readonly SQL[]): SQL => sql.join([...expressions], sql`, `);
