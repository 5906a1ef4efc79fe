/** Memoizes identical queries within one batch of read-only work; results are never invalidated. */
import type { SQL } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import type { RowOf, RowShape } from '../../db/core/rowShape';
import { printStatement, type Statement } from '../../db/core/statement';

export function memoizeQueries(db: Queries): Queries {
  const cache = new Map<string, Promise<unknown[]>>();
  const memoize = <Row>(query: SQL | Statement, run: (statement: Statement) => Promise<Row[]>): Promise<Row[]> => {
    const statement = 'text' in query ? query : printStatement(query);
    const key = JSON.stringify([statement.text, statement.params]);
    const rows = cache.get(key) ?? run(statement);
    cache.set(key, rows);
    return rows as Promise<Row[]>;
  };
  const select = <Shape extends RowShape>(shape: Shape, query: SQL | Statement): Promise<RowOf<Shape>[]> =>
    memoize(query, (statement) => db.select(shape, statement));
  const rows = (query: SQL | Statement) => memoize(query, db.rows);
  return {
    select,
    selectOne: async (shape, query) => (await select(shape, query))[0],
    rows,
    one: async (query) => (await rows(query))[0],
  };
}
