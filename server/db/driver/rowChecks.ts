/** Compares the results of statements with their declared row shapes. */
import type { FastifyBaseLogger } from 'fastify';
import { pg, type RowShape } from '../core/rowShape';

/** A result as postgres.js returns it: its rows, and the server's description of their columns. */
export interface ResultRows<T> extends Array<T> {
  columns?: readonly { name: string; type: number }[] | null;
}

export interface RowCheckOptions {
  log: Pick<FastifyBaseLogger, 'error'>;
  /**
   * For tests: every row of every execution is checked, and a mismatch calls this and throws. Without it, only the
   * first execution of each statement is checked, and a mismatch is logged and counted, never thrown.
   */
  onRowMismatch?(error: RowMismatch): void;
}

/** A statement returned other columns than declared. The message names statement and columns. */
export class RowMismatch extends Error {
  constructor(problems: string, text: string) {
    super(`A statement returned other rows than declared: ${problems}. ${text.replace(/\s+/g, ' ').trim()}`);
    this.name = 'RowMismatch';
  }
}

/** Maximum statements remembered as checked, since statements that run only once would fill the memory. */
const maxChecked = 5000;

export class RowChecks {
  private readonly checkedTexts = new Set<string>();
  /** Number of statements found to differ since the start. */
  mismatches = 0;

  constructor(private readonly options: RowCheckOptions) {}

  /** Costs one lookup for a statement that was checked before. */
  check<T>(shape: RowShape, text: string, rows: ResultRows<T>): void {
    const { log, onRowMismatch } = this.options;
    if (this.checkedTexts.has(text)) return;
    const problems = rowProblems(shape, rows);
    if (problems !== undefined) {
      const error = new RowMismatch(problems, text);
      this.mismatches += 1;
      onRowMismatch?.(error);
      if (onRowMismatch) throw error;
      log.error({ err: error }, 'row shape differs');
    }
    if (!onRowMismatch && this.checkedTexts.size < maxChecked) this.checkedTexts.add(text);
  }
}

const nameOfOid = (oid: number): string =>
  Object.values(pg)
    .map((type) => (typeof type === 'function' ? type() : type))
    .flatMap((type) => [type, type.array])
    .find(({ oids }) => oids.includes(oid))?.name ?? `type ${oid}`;

/** Describes in which columns a result differs from its shape; `undefined` if in none. */
export function rowProblems<T>(shape: RowShape, rows: ResultRows<T>): string | undefined {
  const columns = rows.columns ?? [];
  const names = columns.map(({ name }) => name);
  const problems = [
    ...Object.keys(shape)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is missing`),
    ...columns.flatMap(({ name, type }, index) => {
      const valueType = shape[name];
      if (!valueType) return [`${name} is not declared`];
      if (names.indexOf(name) !== index) return [`${name} comes twice`];
      if (!valueType.oids.includes(type)) return [`${name} is ${nameOfOid(type)}, not ${valueType.name}`];
      const values = rows.map((row) => (row as Record<string, unknown>)[name]);
      if (!valueType.isNullable && values.includes(null)) return [`${name} is null`];
      if (
        !valueType.hasNullItems &&
        values.some((value) => Array.isArray(value) && valueType.isArray && value.includes(null))
      )
        return [`${name} holds null`];
      return [];
    }),
  ];
  return problems.length > 0 ? problems.join(', ') : undefined;
}
