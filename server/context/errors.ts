/**
 * Every error response of the API (table of statuses in the contract). May be thrown anywhere; `http/errorHandler.ts`
 * renders it in the reader's language.
 */
import type { Texts } from '../../locales/types';
import type { Problem } from '../../schema/dsl/checks';
import { maxListedProblems } from '../../schema/dsl/requestLimits';

export type ApiText = keyof Texts['api'];
/** Texts that name a limit of `requestLimits`. */
export type LimitText = Extract<ApiText, `limit_${string}`>;
/** Kinds of names that the list dialect may reject. */
export type RequestedName = 'filter' | 'sort' | 'include' | 'field' | 'parameter' | 'group' | 'sum';
export interface MessageRef {
  text: ApiText;
  values?: Record<string, string | number>;
}
/** Problem of a field: a rule of its declaration, or a text of the API. */
export type FieldProblem = Problem | MessageRef;

/** Marks the response to a request that only validates; Precognition clients accept no other. */
export const precognitionHeaders = { Precognition: 'true', Vary: 'Precognition' };

export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** A fixed sentence, or a reference to a text in the reader's language. */
    readonly reason: string | MessageRef,
    readonly details: {
      errors?: ReadonlyMap<string, readonly FieldProblem[]>;
      entity?: string;
      headers?: Record<string, string>;
      body?: Record<string, unknown>;
    } = {},
  ) {
    super(typeof reason === 'string' ? reason : reason.text);
    this.name = 'ApiError';
  }

  static unauthenticated = () => new ApiError(401, 'Unauthenticated.');
  static forbidden = () => new ApiError(403, 'This action is unauthorized.');
  /** 403 for a write during an impersonation. */
  static readOnly = () => new ApiError(403, { text: 'read_only' });
  static notFound = () => new ApiError(404, 'Not found.');
  /**
   * 400 in the wording of the list dialect, such as ``Requested filter(s) `x` are not allowed. Allowed filter(s) are
   * `a, b`.``
   */
  static notAllowed = (kind: RequestedName, names: readonly string[], allowed: readonly string[]) =>
    new ApiError(
      400,
      `Requested ${kind}(s) \`${firstOf(names)}\` are not allowed. Allowed ${kind}(s) are \`${allowed.join(', ')}\`.`,
    );
  /** 400 that names the limit; `name` is the filter or field that exceeds it. */
  static limitExceeded = (text: LimitText, max: number, name = '') =>
    new ApiError(400, { text, values: { max, name } });
  static malformed = () => new ApiError(400, { text: 'malformed' });
  /** 409 that states the obstacle in words. The text `conflict` is reserved for concurrent writes. */
  static conflict = (text: ApiText, values?: MessageRef['values']) => new ApiError(409, { text, values });
  /** 409: another row has taken the unique value in the meantime. */
  static taken = (field: string, entity: string) =>
    new ApiError(409, '', { errors: new Map([[field, [{ key: 'taken' }]]]), entity });
  /** 412 with the current row. */
  static stale = (current: unknown) => new ApiError(412, { text: 'stale' }, { body: { current } });
  static tooLarge = () => new ApiError(413, { text: 'too_large' });
  static wrongType = () => new ApiError(415, { text: 'wrong_type' });
  /** 415 for a compressed body; the header says what is accepted (RFC 9110, 12.5.3). */
  static wrongEncoding = () =>
    new ApiError(415, { text: 'wrong_encoding' }, { headers: { 'Accept-Encoding': 'identity' } });
  /** 422. `entity` names the resource whose labels the messages use. */
  static invalid = (errors: ReadonlyMap<string, readonly FieldProblem[]>, entity?: string) =>
    new ApiError(422, '', { errors, entity });
  static invalidAt = (field: string, problem: FieldProblem, entity?: string) =>
    ApiError.invalid(new Map([[field, [problem]]]), entity);
  static tooMany = (seconds: number) =>
    new ApiError(429, 'Too Many Attempts.', { headers: { 'Retry-After': String(Math.ceil(seconds)) } });
}

const firstOf = (names: readonly string[]): string =>
  names.length <= maxListedProblems
    ? names.join(', ')
    : `${names.slice(0, maxListedProblems).join(', ')} and ${names.length - maxListedProblems} more`;
