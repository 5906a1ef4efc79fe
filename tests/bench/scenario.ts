/**
 * Declares a scenario of the benchmark: its requests and roles, the limit (hand-written SQL for the same rows, which the
 * product cannot beat), and the bars (thresholds for the product relative to the limit).
 */
import type { RoleName } from '../../schema/dsl/entity';
import { namedRoles } from '../../schema/shared/roles';
import type { DifferenceOptions, ListResult } from './listResults';

export type BenchRole = (typeof namedRoles)[RoleName]['name'];
export const benchRoles = Object.values(namedRoles).map(({ name }) => name) as BenchRole[];

/** Entities whose rows the limit reads (limits.ts). */
export type LimitEntityName = 'machines' | 'users' | 'clients';

/**
 * `ratio`: responses per second divided by those of the limit; the bar is a minimum. `times`: time of one response
 * divided by that of the limit, `ms`: time of one response; for both the bar is a maximum.
 */
export type ScenarioUnit = 'ratio' | 'times' | 'ms';

export interface Scenario extends DifferenceOptions {
  title: string;
  unit: ScenarioUnit;
  /** Bars by role; `undefined` for roles that are measured without a bar. */
  bars: Partial<Record<BenchRole, number | undefined>>;
  /** Whether the first response after the start counts, too. */
  isFirstCounted?: boolean;
  /** Roles whose responses are timed but not compared. */
  rolesNotCompared?: readonly BenchRole[];
  /** Number of responses to time; by default, and always for `ratio`, the rounds of the run. */
  rounds?: number;
  requests(context: BenchContext): BenchRequest[];
  limit(context: LimitContext): LimitStatement;
  /** Entity to whose rows the scope applies; default: machines. */
  entity?: LimitEntityName;
  /** Reads the rows of the product's response; by default those of a list, or a single row. */
  read?(body: string): ListResult;
  /** Reads the rows of the limit's response; default as for `read`. */
  readLimit?(body: string): ListResult;
}

export interface BenchRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Path below `/api/v1/`. */
  path: string;
  body?: string;
  /** Parameters of the limit's statement. */
  values?: readonly (string | number)[];
  /** Request to send first, without timing it. */
  prerequisite?: Pick<BenchRequest, 'method' | 'path'>;
}

export interface LimitContext extends BenchContext {
  role: BenchRole;
  /** SQL condition on `m`: the row is in the role's scope. */
  scope: string;
}

export interface LimitStatement {
  /** SQL that returns `data`, the rows as JSON text, and `total`. */
  text: string;
  /** Query of the same rows for COPY, which is timed instead. */
  copy?: string;
  /** Fields of the request body that are passed as parameters. */
  fields?: readonly string[];
}

export type BenchSample = { id: number } & Record<string, unknown>;

/** Facts about the database from which scenarios build their requests. */
export interface BenchContext {
  machines: number;
  /** The month that has the demo's history: `2026-11`. */
  month: string;
  /** Rows from different pages of the list, by entity. */
  samples: Record<string, readonly BenchSample[]>;
}

/** The same bar for several roles. */
export const barFor = (roles: readonly BenchRole[], bar?: number): Scenario['bars'] =>
  Object.fromEntries(roles.map((role) => [role, bar]));
