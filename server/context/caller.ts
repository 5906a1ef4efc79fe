/** The caller of a request: identity, permissions and scope. Built at most once per request. */
import { isDeepStrictEqual } from 'node:util';
import { problemOf } from '../../schema/dsl/checks';
import { isLanguage, type Language } from '../../schema/shared/languages';
import type { ScopeKind } from '../../schema/shared/roles';
import { ApiError } from './errors';

export interface Caller {
  userId: number;
  /** 0 for calls by API token. */
  sessionId: number;
  /** The real actor during an impersonation. */
  impersonatedBy?: number;
  /** The API token that takes the place of a session. */
  tokenId?: number;
  /** The token belongs to a wall and opens only the calls that a wall needs. */
  isWall?: true;
  /** The access version at which this caller was loaded (`accessVersionSql` in `server/auth/loadCaller.ts`). */
  accessVersion: number;
  language: Language;
  /**
   * Time zone of the reader, if the request names one. Used for times in sentences, never for the days of daily sums.
   */
  timeZone?: string;
  /** The union over all roles of the user. */
  permissions: ReadonlySet<string>;
  roles: readonly { id: number; name: string; scope: ScopeKind }[];
  /** Each kind once. */
  scopes: ReadonlySet<ScopeKind>;
  /** Links of the user, which decide what a limited scope covers. */
  links: {
    client: number | null;
    clients: readonly number[];
    countries: readonly number[];
    fleets: readonly number[];
    locations: readonly number[];
    machines: readonly number[];
  };
}

const copiesByTimeZone = new WeakMap<Caller, Map<string, Caller>>();

/** Returns the caller with a time zone (IANA name), the identical object for the same zone. Ignores unknown zones. */
export function withTimeZone(caller: Caller, timeZone: unknown): Caller {
  if (typeof timeZone !== 'string' || problemOf({ kind: 'text', format: 'time_zone', max: 60 }, timeZone))
    return caller;
  const copies = copiesByTimeZone.get(caller) ?? new Map<string, Caller>();
  copiesByTimeZone.set(caller, copies);
  const copy = copies.get(timeZone) ?? { ...caller, timeZone };
  copies.set(timeZone, copy);
  return copy;
}

const copiesByLanguage = new WeakMap<Caller, Map<Language, Caller>>();

/**
 * Returns the caller with the language of the requesting page, the identical object for the same language. Ignores
 * unknown languages.
 */
export function withLanguage(caller: Caller, language: unknown): Caller {
  if (typeof language !== 'string' || !isLanguage(language) || language === caller.language) return caller;
  const copies = copiesByLanguage.get(caller) ?? new Map<Language, Caller>();
  copiesByLanguage.set(caller, copies);
  const copy = copies.get(language) ?? { ...caller, language };
  copies.set(language, copy);
  return copy;
}

export const hasPermission = (caller: Caller, code: string): boolean => caller.permissions.has(code);

/** Throws 403 unless a role of the caller grants the permission. */
export function requirePermission(caller: Caller, code: string): void {
  if (!hasPermission(caller, code)) throw ApiError.forbidden();
}

/** Whether two states of a caller grant the same access; language and time zone do not matter. */
export const hasSameAccess = (caller: Caller, other: Caller): boolean =>
  caller === other || isDeepStrictEqual(accessOf(caller), accessOf(other));

const accessOf = ({ userId, impersonatedBy, tokenId, permissions, roles, scopes, links }: Caller) => ({
  userId,
  impersonatedBy,
  tokenId,
  permissions,
  // They decide which shared rows the caller sees.
  roleIds: roles.map(({ id }) => id),
  scopes,
  links,
});
