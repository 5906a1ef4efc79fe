/**
 * Caches list statements, because building one costs as much as a small query.
 *
 * The key must contain everything that shapes the statement; all other values must be placeholders.
 */
import { createHash } from 'node:crypto';
import { fillPlaceholders, type SQL } from 'drizzle-orm';
import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import type { Queries } from '../../db/core/database';
import type { RowOf, RowShape } from '../../db/core/rowShape';
import { printStatement, type Statement } from '../../db/core/statement';

interface StatementRequest {
  model: EntityModel;
  key: string | undefined;
  build(): SQL;
}

/** Returns the cached statement of `key`, or builds it; without a key it builds every time. */
export const statementFor = ({ model, key, build }: StatementRequest): Statement =>
  model.cachedBuild(key, () => printStatement(build()));

/** Runs a statement with values for its placeholders. */
export const runStatement = <Shape extends RowShape>(
  db: Queries,
  shape: Shape,
  { text, params }: Statement,
  values: Record<string, unknown>,
): Promise<RowOf<Shape>[]> => db.select(shape, { text, params: fillPlaceholders(params, values) });

const callerKeys = new WeakMap<Caller, string>();

/** Hash of everything about a caller that shapes a statement. */
export function callerKey(caller: Caller): string {
  const cachedKey = callerKeys.get(caller);
  if (cachedKey) return cachedKey;
  const access = JSON.stringify([
    caller.userId,
    caller.language,
    caller.timeZone,
    [...caller.scopes].sort(),
    caller.roles.map(({ id }) => id),
    caller.links,
    [...caller.permissions].sort(),
  ]);
  const key = createHash('sha256').update(access).digest('base64');
  callerKeys.set(caller, key);
  return key;
}
