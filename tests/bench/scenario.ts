/** Declaration of a scenario of the bench: its requests and roles, the same question as SQL, and its bars. */
import type { RoleName } from '../../schema/dsl/entity';
import { namedRoles } from '../../schema/shared/roles';
import type { DifferenceOptions, ListResult } from './listResults';

export type BenchRole = (typeof namedRoles)[RoleName]['name'];
export const benchRoles = Object.values(namedRoles).map(({ name }) => name) as BenchRole[];

/** Entities whose rows the limit reads (limits.ts). */
export type LimitedName = 'machines' | 'users' | 'clients';

/**
 * `ratio`: responses per second relative to the limit; the bar is a minimum. `times`: time of one response relative to the
 * limit, `ms`: time of one response; the bar is a maximum.
 */
export type ScenarioUnit = 'ratio' | 'times' | 'ms';

export interface Scenario extends DifferenceOptions {
  work: string;
  unit: ScenarioUnit;
  /** Roles with their bars; `undefined`: measured without a bar. */
  bars: Partial<Record<BenchRole, number | undefined>>;
  /** Whether the first response after the start counts like the others. */
  isFirstCounted?: boolean;
  /** Roles whose answers are timed but not compared. */
  uncompared?: readonly BenchRole[];
  /** Number of responses, timed one by one; default: the rounds of the run, also for `ratio`. */
  rounds?: number;
  questions(context: BenchContext): Question[];
  limit(asking: LimitContext): LimitStatement;
  /** Entity whose rows the scope limits; default: machines. */
  entity?: LimitedName;
  /** Reads the rows of a product's response; default: those of a list, or a single row. */
  read?(body: string): ListResult;
  /** Reads the rows of the limit's response; default as for `read`. */
  readLimit?(body: string): ListResult;
}

export interface Question {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1/`. */
  path: string;
  body?: string;
  /** Parameters of the limit's statement. */
  values?: readonly (string | number)[];
  /** Request sent before, not timed. */
  before?: Pick<Question, 'method' | 'path'>;
}

export interface LimitContext extends BenchContext {
  role: BenchRole;
  /** SQL condition on `m`: the rows in the role's scope. */
  scope: string;
}

export interface LimitStatement {
  /** Returns `data`, rows as JSON text, and `total`. */
  text: string;
  /** Query of the same rows for COPY, which is timed. */
  copy?: string;
  /** Fields of the request's body that are the parameters. */
  fields?: readonly string[];
}

export type BenchSample = { id: number } & Record<string, unknown>;

/** Properties of the database for the scenarios. */
export interface BenchContext {
  machines: number;
  /** The month with the demo's history: `2026-11`. */
  month: string;
  /** Rows from different pages of the list. */
  samples: Record<string, readonly BenchSample[]>;
}

/** The same bar for each of the roles. */
export const barFor = (roles: readonly BenchRole[], bar?: number): Scenario['bars'] =>
  Object.fromEntries(roles.map((role) => [role, bar]));
