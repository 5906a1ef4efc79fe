/**
 * Statements built once and used again: putting a list statement together costs as much as a small query.
 *
 * The key says everything that shapes the statement, so a remembered one is the one that would be built; what varies
 * beyond it are placeholders.
 */
import { createHash } from 'node:crypto';
import { fillPlaceholders, type SQL } from 'drizzle-orm';
import type { Caller } from '../../context/caller';
import type { Queries } from '../../db/core/database';
import { type Statement, statementOf } from '../../db/core/statement';
import { cachedBuild } from '../../shared/buildCache';

/** The statement of `key`, built by `build` when it is not remembered; without a key it is built each time. */
export const statementFor = ({ key, build }: { key: string | undefined; build: () => SQL }): Statement =>
  cachedBuild(key, () => statementOf(build()));

/** Runs a statement with values for its placeholders. */
export const run = <T>(db: Queries, { text, params }: Statement, values: Record<string, unknown>): Promise<T[]> =>
  db.text<T>(text, fillPlaceholders(params, values));

const callerKeys = new WeakMap<Caller, string>();

/** Everything about a caller that shapes a statement. */
export function callerKey(caller: Caller): string {
  const known = callerKeys.get(caller);
  if (known) return known;
  const whole = JSON.stringify([
    caller.userId,
    caller.language,
    caller.timeZone,
    [...caller.scopes].sort(),
    caller.roles.map(({ id }) => id),
    caller.links,
    [...caller.permissions].sort(),
  ]);
  const key = createHash('sha256').update(whole).digest('base64');
  callerKeys.set(caller, key);
  return key;
}
