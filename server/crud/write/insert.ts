/**
 * A row whose creation is its insert alone: asked about, stored and read again by two statements that travel together,
 * without a transaction around them.
 */
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { hooksOf, table } from '../../access/entityModel';
import { hasGlobalScope } from '../../access/scope';
import { accessVersion } from '../../auth/loadCaller';
import { sqlTypeOf } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { type Statement, statementOf } from '../../db/core/statement';
import { cachedBuild } from '../../shared/buildCache';
import { callerKey, run } from '../query/statementCache';
import type { RowResult } from '../read/list';
import { actorsOf, actorsSql, auditColumns, detailOf, titleSql } from './audit';
import {
  answerAt,
  asColumn,
  type DatabaseCheck,
  type DatabaseCheckResult,
  databaseChecksOf,
  noteAnswers,
  runDatabaseChecks,
} from './databaseChecks';
import type { Draft } from './draft';
import { validateRules } from './validate';
import { columnValues, type WriteResult } from './write';

/** Whether nothing but its insert belongs to a new row, so that it is whole without a transaction. */
export const isSingleStatementInsert = ({ entity, caller, sent }: Pick<Draft, 'entity' | 'caller' | 'sent'>): boolean =>
  hasGlobalScope(entity, caller) &&
  !hooksOf(entity).after &&
  sent.images.size === 0 &&
  !Object.values(sent.values).some(Array.isArray);

/** How the new row is read: as what a connection has inserted last, or by its id. */
export interface Readers {
  made(db: Queries): Promise<RowResult>;
  row(db: Queries, id: number): Promise<RowResult>;
}

export interface Alone {
  made: WriteResult;
  reading: PromiseSettledResult<RowResult>;
}

/**
 * Stores the row if nothing is wrong with it and its caller is who they were when they were read (`accessVersion`);
 * else refuses it or gives back nothing.
 */
export async function insertWithoutTransaction(draft: Draft, read: Readers): Promise<Alone | undefined> {
  const judged = await validateRules(draft);
  await judged.before();
  if (!judged.isSound()) {
    await runDatabaseChecks(draft, judged);
    judged.refuseWrong();
  }
  const { values } = judged;
  const columns = columnValues(draft.entity, values);
  const { statement, questions } = cachedBuild(keyOf(draft, columns), () => insertOf(draft, columns));
  const { actor, as, token } = actorsOf(draft.caller);
  const detail = JSON.stringify(detailOf(draft.entity, { after: values }));
  const given = {
    ...Object.fromEntries(columns),
    '@actor': actor,
    '@as': as,
    '@token': token,
    '@detail': detail,
    access: draft.caller.accessVersion,
  };
  const { db } = draft.services;
  const insert = (queries: Queries) => run<Stored>(queries, statement, given);
  const accepted = ([answer]: Stored[]): number | null => {
    noteAnswers(draft, { questions, fail: judged.fail }, answer);
    judged.refuseWrong();
    return answer?.id ?? null;
  };
  if (db.kind === 'pglite') {
    // An embedded database has one connection: while one holds it all others wait.
    const id = accepted(await insert(db));
    if (id === null) return undefined;
    const [reading] = await Promise.allSettled([read.row(db, id)]);
    return { made: { id, values }, reading };
  }
  const [stored, reading] = await db.inOrder((queries) => Promise.allSettled([insert(queries), read.made(queries)]));
  if (stored.status === 'rejected') throw stored.reason;
  const id = accepted(stored.value);
  return id === null ? undefined : { made: { id, values }, reading };
}

type Stored = DatabaseCheckResult & { id: number | null };

/** Everything that shapes the statement: the values themselves do not, but whether there are any. */
const keyOf = ({ entity, caller }: Draft, columns: readonly [string, unknown][]): string =>
  JSON.stringify(['insert', entity.name, callerKey(caller), columns.map(([name, value]) => [name, value === null])]);

/**
 * One statement that asks what there is to ask, stores the row if nothing is wrong and notes it. Placeholders: the
 * columns' names, `@actor`, `@as`, `@token`, `@detail`, `access`.
 */
function insertOf(
  draft: Draft,
  columns: readonly [string, unknown][],
): { statement: Statement; questions: DatabaseCheck[] } {
  const { entity, caller } = draft;
  const open: Record<string, Placeholder> = Object.fromEntries(
    columns.filter(([, value]) => value !== null).map(([name]) => [name, sql.placeholder(name)]),
  );
  const questions = databaseChecksOf(draft, { values: open, sound: () => true });
  const isFine = [
    ...questions.map((_, index) => sql`not ${answerAt(index)}`),
    sql`access = ${sql.placeholder('access')}::float8`,
  ];
  const names = columns.map(([name]) => sql`${sql.identifier(name)}`);
  const given = columns.map(([name]) => sql`${open[name] ?? sql`null`}::${typeOf(entity, name)}`);
  const actors = actorsSql({
    actor: sql.placeholder('@actor'),
    as: sql.placeholder('@as'),
    token: sql.placeholder('@token'),
  });
  const title = titleSql(entity, { row: sql.raw('made'), language: caller.language });
  const statement = statementOf(sql`
    with asked as materialized (select ${list([...questions.map(asColumn), sql`${sql.raw(accessVersion)} as access`])}),
      made as (insert into ${table(entity)} (${list([sql`created_at`, ...names])})
      select ${list([sql`now()`, ...given])} from asked where ${sql.join(isFine, sql` and `)} returning *),
      noted as (insert into audit (${auditColumns}) select ${actors}, 'create', ${entity.name}::text, made.id, ${title},
      ${sql.placeholder('@detail')}::text::jsonb from made)
    select asked.*, (select id from made) as id from asked`);
  return { statement, questions };
}

const typeOf = (entity: Entity, name: string): SQL => sql.raw(sqlTypeOf(entity.fields[name] as Field));
const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
