/** Who calls: their permissions and how far they reach. Built once per request at most. */
import { problemOf } from '../../schema/dsl/checks';
import { isLanguage, type Language } from '../../schema/shared/languages';
import type { ScopeKind } from '../../schema/shared/roles';
import { ApiError } from './errors';

export interface Caller {
  userId: number;
  /** 0 for who calls by an API token. */
  sessionId: number;
  /** The user who really acts, when they act as another one. */
  impersonatedBy?: number;
  /** The API token that is used in place of a session. */
  tokenId?: number;
  /** The sum of write counters that this was read at (`accessVersion` of `auth.ts`). */
  accessVersion: number;
  language: Language;
  /**
   * The zone in which the reader reads times, when the request names one; sentences with times use it, days of figures
   * never do.
   */
  timeZone?: string;
  /** The union over all roles of the user. */
  permissions: ReadonlySet<string>;
  roles: readonly { id: number; name: string; scope: ScopeKind }[];
  /** Each kind once. */
  scopes: ReadonlySet<ScopeKind>;
  /** The user's own links, which limit their roles. */
  links: {
    client: number | null;
    clients: readonly number[];
    countries: readonly number[];
    fleets: readonly number[];
    locations: readonly number[];
    machines: readonly number[];
  };
}

const zoned = new WeakMap<Caller, Map<string, Caller>>();

/**
 * The same caller reading in a zone (IANA name); one that does not exist is ignored. The same object for the same zone.
 */
export function withTimeZone(caller: Caller, timeZone: unknown): Caller {
  if (typeof timeZone !== 'string' || problemOf({ kind: 'text', format: 'time_zone', max: 60 }, timeZone))
    return caller;
  const known = zoned.get(caller) ?? new Map<string, Caller>();
  zoned.set(caller, known);
  const found = known.get(timeZone) ?? { ...caller, timeZone };
  known.set(timeZone, found);
  return found;
}

const spoken = new WeakMap<Caller, Map<Language, Caller>>();

/**
 * The same caller reading in the language of the page that asks; one that does not exist is ignored. The same object
 * for the same language.
 */
export function withLanguage(caller: Caller, language: unknown): Caller {
  if (typeof language !== 'string' || !isLanguage(language) || language === caller.language) return caller;
  const known = spoken.get(caller) ?? new Map<Language, Caller>();
  spoken.set(caller, known);
  const found = known.get(language) ?? { ...caller, language };
  known.set(language, found);
  return found;
}

export const hasPermission = (caller: Caller, code: string): boolean => caller.permissions.has(code);

/** Refuses with 403 what none of the caller's roles may do. */
export function requirePermission(caller: Caller, code: string): void {
  if (!hasPermission(caller, code)) throw ApiError.unauthorized();
}
