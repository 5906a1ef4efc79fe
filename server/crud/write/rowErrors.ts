/** Row errors of a bulk request: nothing is changed, and the response names the rows. */
import { sql } from 'drizzle-orm';
import { stateJoin, table } from '../../access/entityModel';
import { titleSql } from '../../access/titleSql';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { errorBodyOf } from '../../http/errorHandler';
import { formatMessage } from '../../i18n/messages';

/** Maximum rows named in the message. */
const maxNamedRows = 5;
/** Maximum rows listed in `rows` of the response. */
const maxListedRows = 100;

interface BulkTargets {
  entity: ModelEntity;
  caller: Caller;
  /** Number of target rows. */
  total: number;
}

/**
 * Collects errors per row, so that all can be reported. With a single target the error is thrown as it is. If the
 * batches of a request share an instance, their caller must call `throwIfAny` after the last one.
 */
export class RowErrors {
  private readonly errors = new Map<number, ApiError>();
  constructor(
    private readonly targets: BulkTargets,
    private readonly isShared = false,
  ) {}

  /** Whether writing must stop because of a row error. Throws the errors instead, unless further batches follow. */
  async mustStop(tx: Queries): Promise<boolean> {
    if (!this.isShared) await this.throwIfAny(tx);
    return this.errors.size > 0;
  }

  /** Runs `write` for a row. Returns its result, or `undefined` after adding its `ApiError` to the row errors. */
  async attempt<T>(id: number, write: () => Promise<T>): Promise<T | undefined> {
    try {
      return await write();
    } catch (error) {
      this.add(id, error);
      return undefined;
    }
  }

  /** Adds a row error. Throws it instead if it is unexpected or a 404, or if there is a single target. */
  add(id: number, error: unknown): void {
    if (!(error instanceof ApiError) || error.status === 404 || this.targets.total === 1) throw error;
    if (!this.errors.has(id)) this.errors.set(id, error);
  }

  /** Throws one error that names the rows, if there are row errors. */
  async throwIfAny(tx: Queries): Promise<void> {
    if (this.errors.size === 0) return;
    const { caller, total } = this.targets;
    const listedErrors = [...this.errors]
      .slice(0, maxListedRows)
      .map(([id, error]) => ({ id, ...errorBodyOf(error, caller.language) }));
    const [firstError] = [...this.errors.values()] as [ApiError];
    const count = this.errors.size;
    const haveSameReason = new Set([...this.errors.values()].map(messageKeyOf)).size === 1;
    const names = await readNames(
      tx,
      this.targets,
      listedErrors.map(({ id }) => id),
    );
    const rows = listedErrors.map(({ id, message, uses }) => ({
      id,
      name: names.get(id) ?? String(id),
      message,
      uses,
    }));
    const details = { rows, rows_total: count, errors: listedErrors.find(({ errors }) => errors)?.errors };
    // If every row fails for the same reason, the cause is the request, not a row.
    const message =
      haveSameReason && count === total
        ? (listedErrors[0]?.message as string)
        : printMessage(rows, count, { caller, haveSameReason });
    throw new ApiError(firstError.status, firstError.status === 403 ? (firstError.reason as string) : message, {
      body: { ...details },
    });
  }
}

/** Errors with the same key have the same message. Cheaper than formatting the messages of thousands of rows. */
function messageKeyOf({ status, reason, details: { errors } }: ApiError): string {
  const [firstProblem] = errors ?? [];
  const count = errors ? [...errors.values()].reduce((sum, problems) => sum + problems.length, 0) : 0;
  return JSON.stringify([status, reason, firstProblem?.[0], firstProblem?.[1][0], count]);
}

function printMessage(
  rows: readonly { name: string; message: string }[],
  count: number,
  { caller: { language }, haveSameReason }: { caller: Caller; haveSameReason: boolean },
): string {
  const listedRows = rows.slice(0, maxNamedRows);
  const unlistedCount = count - listedRows.length;
  const suffix =
    unlistedCount > 0 ? ` ${formatMessage(language, 'api.more_rows', { smart_count: unlistedCount })}` : '';
  const withoutFullStop = (message: string) => message.replace(/\.$/, '');
  const list = haveSameReason
    ? `${listedRows.map(({ name }) => name).join(', ')}${suffix} (${withoutFullStop(rows[0]?.message ?? '')})`
    : `${listedRows.map(({ name, message }) => `${name} (${withoutFullStop(message)})`).join(', ')}${suffix}`;
  return formatMessage(language, 'api.rows_refused', { smart_count: count, rows: list });
}

async function readNames(
  tx: Queries,
  { entity, caller: { language } }: BulkTargets,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const [m, s] = [sql.raw('m'), sql.raw('s')];
  const rows = await tx.select(
    { id: pg.integer, name: pg.text },
    sql`select m.id, ${titleSql(entity, { row: m, state: s, language })} as name
      from ${table(entity)} m${stateJoin(entity)}
      where m.id = any(${sql.param([...ids])}::int[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
