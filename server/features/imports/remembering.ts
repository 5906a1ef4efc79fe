/** Memoizes identical queries within one batch. Read-only work only: nothing is invalidated. */
import type { SQL } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import type { RowOf, RowShape } from '../../db/core/rowShape';
import { type Statement, statementOf } from '../../db/core/statement';

export function memoizeQueries(db: Queries): Queries {
  const known = new Map<string, Promise<unknown[]>>();
  const text = <T>(statement: string, params: readonly unknown[]): Promise<T[]> => {
    const key = JSON.stringify([statement, params]);
    const asked = known.get(key) ?? db.text(statement, params);
    known.set(key, asked);
    return asked as Promise<T[]>;
  };
  const select = async <Shape extends RowShape>(shape: Shape, query: SQL | Statement): Promise<RowOf<Shape>[]> => {
    const { text: statement, params } = 'text' in query ? query : statementOf(query);
    const key = JSON.stringify([statement, params]);
    const asked = known.get(key) ?? db.select(shape, { text: statement, params });
    known.set(key, asked);
    return asked as Promise<RowOf<Shape>[]>;
  };
  const rows = <T>(query: SQL): Promise<T[]> => {
    const { text: statement, params } = statementOf(query);
    return text<T>(statement, params);
  };
  return {
    select,
    selectOne: async (shape, query) => (await select(shape, query))[0],
    rows,
    text,
    one: async <T>(query: SQL) => (await rows<T>(query))[0],
  };
}
