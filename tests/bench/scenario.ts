/** What one scenario of the bench declares: who asks what, the same question as SQL, and what is promised. */
import type { RoleName } from '../../schema/dsl/entity';
import { namedRoles } from '../../schema/shared/roles';
import type { Answer, DifferenceOptions } from './answers';

export type BenchRole = (typeof namedRoles)[RoleName]['name'];
export const benchRoles = Object.values(namedRoles).map(({ name }) => name) as BenchRole[];

/** Entities whose rows the limit reads (limits.ts). */
export type LimitedName = 'machines' | 'users' | 'clients';

/**
 * `ratio`: answers per second beside those of the limit, at least the bar. `times`: how many times as long as the limit
 * one answer takes, `ms`: how long it takes, at most the bar.
 */
export type ScenarioUnit = 'ratio' | 'times' | 'ms';

export interface Scenario extends DifferenceOptions {
  work: string;
  unit: ScenarioUnit;
  /** Who asks, each with what is promised; `undefined`: it is only shown. */
  bars: Partial<Record<BenchRole, number | undefined>>;
  /** The first answer after the start counts like the others. */
  isFirstCounted?: boolean;
  /** Roles whose answers are only timed. */
  uncompared?: readonly BenchRole[];
  /** Answers that are timed one by one; for `ratio` the rounds are those of the run. */
  rounds?: number;
  questions(context: BenchContext): Question[];
  limit(asking: LimitContext): LimitStatement;
  /** The rows that the scope is about; machines without. */
  entity?: LimitedName;
  /** The rows in an answer of the product; by default those of a list, or the one row. */
  read?(body: string): Answer;
  /** The same of the limit. */
  readLimit?(body: string): Answer;
}

export interface Question {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1/`. */
  path: string;
  body?: string;
  /** Parameters of the limit's statement. */
  values?: readonly (string | number)[];
  /** Done before, untimed. */
  before?: Pick<Question, 'method' | 'path'>;
}

export interface LimitContext extends BenchContext {
  role: BenchRole;
  /** The rows of `m` that the role sees, as SQL. */
  scope: string;
}

export interface LimitStatement {
  /** Returns `data`, rows as JSON text, and `total`. */
  text: string;
  /** The same rows as COPY writes them, which is timed. */
  copy?: string;
  /** Fields of the request's body that are the parameters. */
  fields?: readonly string[];
}

export type BenchSample = { id: number } & Record<string, unknown>;

/** What scenarios know of the database that they ask. */
export interface BenchContext {
  machines: number;
  /** The month with the demo's history: `2026-11`. */
  month: string;
  /** Rows from all over the list. */
  samples: Record<string, readonly BenchSample[]>;
}

/** The same bar for each of the roles. */
export const barFor = (roles: readonly BenchRole[], bar?: number): Scenario['bars'] =>
  Object.fromEntries(roles.map((role) => [role, bar]));
