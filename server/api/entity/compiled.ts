/**
 * Statements built once and used again: putting a list statement together costs as much as a small query.
 *
 * The key says everything that shapes the statement, so a remembered one is the one that would be built; what varies beyond it are placeholders.
 */
import { createHash } from 'node:crypto';
import { fillPlaceholders, type SQL } from 'drizzle-orm';
import type { Queries } from '../../db/database';
import { type Statement, statementOf } from '../../db/statement';
import type { Caller } from '../caller';

const most = 1000;
const statements = new Map<string, Statement>();

/** The statement of `key`, built by `build` when it is not remembered; without a key it is built each time. */
export const statementFor = ({ key, build }: { key: string | undefined; build: () => SQL }): Statement =>
  (key !== undefined && remembered(key)) || compiled(key, build);

/** Runs a statement with values for its placeholders. */
export const run = <T>(db: Queries, { text, params }: Statement, values: Record<string, unknown>): Promise<T[]> =>
  db.text<T>(text, fillPlaceholders(params, values));

function remembered(key: string): Statement | undefined {
  const statement = statements.get(key);
  if (!statement) return undefined;
  statements.delete(key);
  statements.set(key, statement);
  return statement;
}

function compiled(key: string | undefined, build: () => SQL): Statement {
  const statement = statementOf(build());
  if (key === undefined) return statement;
  statements.set(key, statement);
  if (statements.size > most) statements.delete(statements.keys().next().value as string);
  return statement;
}

const callerKeys = new WeakMap<Caller, string>();

/** Everything about a caller that shapes a statement. */
export function callerKey(caller: Caller): string {
  const known = callerKeys.get(caller);
  if (known) return known;
  const whole = JSON.stringify([caller.userId, caller.language, caller.timeZone, [...caller.scopes].sort(), caller.links, [...caller.permissions].sort()]);
  const key = createHash('sha256').update(whole).digest('base64');
  callerKeys.set(caller, key);
  return key;
}
