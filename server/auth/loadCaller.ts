/**
 * Loads callers and caches them per token, with the access version. Every request reads the current version, so a
 * logout, a changed role or a changed link takes effect with the next request in every process. While the version is
 * unchanged, one cheap statement suffices.
 */

import { isLanguage } from '../../schema/shared/languages';
import type { ScopeKind } from '../../schema/shared/roles';
import { wallPermissions } from '../../schema/shared/wall';
import type { Caller } from '../context/caller';
import type { Database, Queries } from '../db/core/database';
import { type LogPosition, logPositionSql, readLogPosition } from '../db/core/logPosition';
import { pg } from '../db/core/rowShape';
import { validImpersonationWhere } from './impersonation';
import { tokenKey } from './secrets';

/** Tables that determine what a session may do. */
export const accessTables: readonly string[] = [
  'sessions',
  'api_tokens',
  'users',
  'users_roles',
  'roles',
  'roles_permissions',
  'permissions',
  'languages',
  'users_clients',
  'users_countries',
  'users_fleets',
  'users_locations',
  'users_machines',
];

/** SQL: the access version. While it equals `Caller.accessVersion`, the caller is current. */
export const accessVersionSql = `(select coalesce(sum(n), 0)::float8 from write_counts
  where relation in (${accessTables.map((name) => `'${name}'`).join(', ')}))`;

const linkedEntities = ['clients', 'countries', 'fleets', 'locations', 'machines'] as const;

/** SQL: the ids of the rows that a user `u` is linked to. */
const linkedIdsSql = (to: (typeof linkedEntities)[number]) => `(
      select coalesce(json_agg(k.${to}_id order by k.${to}_id), '[]') from users_${to} k where k.users_id = u.id)`;

/** JSON fields: permissions, roles and links of a user `u` with language `l`. */
const accessJsonSql = `'language', l.two_letter_code,
    'permissions', (
      select coalesce(json_agg(distinct p.code_name), '[]')
      from users_roles ur
      join roles r on r.id = ur.roles_id and r.deleted_at is null
      join roles_permissions rp on rp.roles_id = r.id
      join permissions p on p.id = rp.permissions_id and p.deleted_at is null
      where ur.users_id = u.id),
    'roles', (
      select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'scope', r.scope) order by r.id), '[]')
      from users_roles ur
      join roles r on r.id = ur.roles_id and r.deleted_at is null
      where ur.users_id = u.id),
    'links', json_build_object(
      'client', u.client_id, ${linkedEntities.map((to) => `'${to}', ${linkedIdsSql(to)}`).join(', ')})`;

/** SQL: the user behind a token hash, as JSON; null if there is none. */
const callerJsonSql = (hash: string) => `(
  select json_build_object(
    'userId', u.id, 'sessionId', s.id, 'impersonatedBy', s.impersonated_by, 'tokenId', s.token_id, 'isWall', s.is_wall,
    'limits', s.permissions, 'expires', extract(epoch from s.expires_at) * 1000, ${accessJsonSql}
  ) from (
    select id, null::int as token_id, false as is_wall, user_id, expires_at, null::text[] as permissions,
      impersonated_by from sessions where token_hash = ${hash}
    union all select 0, id, is_wall, user_id, expires_at, permissions, null from api_tokens
    where token_hash = ${hash}
  ) s join users u on u.id = s.user_id and u.deleted_at is null left join languages l on l.id = u.language_id
  where s.expires_at > now() and ${validImpersonationWhere}
)`;

const sessionStatementSql = (position: string) => `
select v.version, case when v.version = $2::float8 then null else ${callerJsonSql('$1::bytea')} end as token,
${position} as position from (select ${accessVersionSql} as version) v`;
const sessionStatement = sessionStatementSql('null::text');
const sessionAndPositionStatement = sessionStatementSql(logPositionSql);

const callersStatement = `
select v.version, t.key, ${callerJsonSql("decode(t.key, 'base64')")} as token
from (select ${accessVersionSql} as version) v,
unnest($1::text[]) as t(key)`;

const userStatement = `
select ${accessVersionSql} as version, json_build_object('userId', u.id, 'sessionId', 0, 'tokenId', t.id, 'limits',
t.permissions, ${accessJsonSql}) as token
from users u left join languages l on l.id = u.language_id left join api_tokens t on t.id = $2::int and t.user_id = u.id
and t.expires_at > now()
where u.id = $1::int and u.deleted_at is null and ($2::int is null or t.id is not null)`;

interface TokenRow {
  userId: number;
  sessionId: number;
  impersonatedBy?: number | null;
  /** For API tokens: the id, and the permissions that the token is limited to. */
  tokenId?: number | null;
  limits?: readonly string[] | null;
  isWall?: boolean;
  expires: number;
  language: string | null;
  permissions: string[];
  roles: { id: number; name: string; scope: ScopeKind }[];
  links: Caller['links'];
}

interface CachedCaller {
  caller: Caller;
  /** Milliseconds since 1970. */
  expires: number;
}

const cachedCallers = new WeakMap<Queries, Map<string, CachedCaller>>();

const maxCachedCallers = 5000;

/** A valid session. */
export interface CurrentSession {
  caller: Caller;
  /** Log position that a replica must have replayed to know every commit so far; absent without replicas. */
  position?: LogPosition;
}

/**
 * Loads the session of a token; `undefined` if it has ended, expired or never existed. `queries` may be a transaction
 * that has not written anything yet.
 */
export async function loadSession(
  db: Database,
  tokenHash: Buffer,
  queries: Queries = db,
): Promise<CurrentSession | undefined> {
  const cache = cacheOf(db);
  const key = tokenKey(tokenHash);
  const cachedEntry = findUnexpired(cache, key);
  const [row] = await queries.select(
    { version: pg.double, token: pg.json<TokenRow>().nullable, position: pg.text.nullable },
    {
      text: db.replicas && queries === db ? sessionAndPositionStatement : sessionStatement,
      params: [tokenHash, cachedEntry?.caller.accessVersion ?? -1],
    },
  );
  const position = row?.position ? readLogPosition(row.position) : undefined;
  if (cachedEntry && row?.version === cachedEntry.caller.accessVersion) return { caller: cachedEntry.caller, position };
  cache.delete(key);
  if (!row?.token) return undefined;
  return { caller: cacheCaller(cache, { key, token: row.token, version: row.version }), position };
}

/** Like `loadSession`, but returns the caller alone. */
export const loadCaller = async (db: Database, tokenHash: Buffer, queries: Queries = db): Promise<Caller | undefined> =>
  (await loadSession(db, tokenHash, queries))?.caller;

/**
 * The cached caller of a token; `undefined` once the token has expired, so that the caller is loaded again: use may
 * have renewed the token.
 */
function findUnexpired(cache: ReadonlyMap<string, CachedCaller>, key: string): CachedCaller | undefined {
  const entry = cache.get(key);
  return entry && entry.expires > Date.now() ? entry : undefined;
}

function cacheCaller(
  cache: Map<string, CachedCaller>,
  { key, token: { expires, ...token }, version }: { key: string; token: TokenRow; version: number },
): Caller {
  const caller = callerOf(token, version);
  cache.set(key, { caller, expires });
  if (cache.size > maxCachedCallers) cache.delete(cache.keys().next().value as string);
  return caller;
}

/**
 * Loads the callers of many tokens, keyed by the base64 of their hashes. Takes one statement while access is unchanged,
 * otherwise two. Omits ended sessions.
 */
export async function loadCallers(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
  const cache = cacheOf(db);
  const [access] = await db.select(
    { version: pg.double },
    { text: `select ${accessVersionSql} as version`, params: [] },
  );
  const callers = new Map<string, Caller>();
  const staleKeys = new Set<string>();
  for (const key of keys) {
    const cachedEntry = findUnexpired(cache, key);
    if (cachedEntry && cachedEntry.caller.accessVersion === access?.version) callers.set(key, cachedEntry.caller);
    else staleKeys.add(key);
  }
  if (staleKeys.size === 0) return callers;
  const rows = await db.select(
    { version: pg.double, key: pg.text, token: pg.json<TokenRow>().nullable },
    { text: callersStatement, params: [[...staleKeys]] },
  );
  for (const { version, key, token } of rows) {
    cache.delete(key);
    if (token) callers.set(key, cacheCaller(cache, { key, token, version }));
  }
  return callers;
}

/**
 * Loads a user's current access without a session: for scheduled work, calendar feeds, and work requested with an API
 * token, whose limits then apply. `undefined` if the user or the token no longer exists.
 */
export async function loadCallerOfUser(
  db: Queries,
  userId: number,
  tokenId: number | null = null,
): Promise<Caller | undefined> {
  const [row] = await db.select(
    { version: pg.double, token: pg.json<Omit<TokenRow, 'expires'>>() },
    { text: userStatement, params: [userId, tokenId] },
  );
  return row && callerOf(row.token, row.version);
}

/** Cached caller, possibly stale. For rate limiting and `withOptimisticAuth` only; never grant access on it. */
export const cachedCaller = (db: Database, tokenHash: Buffer): Caller | undefined =>
  findUnexpired(cacheOf(db), tokenKey(tokenHash))?.caller;

function callerOf(
  {
    userId,
    sessionId,
    impersonatedBy,
    tokenId,
    isWall,
    limits: tokenLimits,
    language,
    permissions,
    roles,
    links,
  }: Omit<TokenRow, 'expires'>,
  version: number,
): Caller {
  const limits = isWall ? wallPermissions : tokenLimits;
  return {
    userId,
    sessionId,
    ...(impersonatedBy && { impersonatedBy }),
    ...(tokenId && { tokenId }),
    ...(isWall && { isWall }),
    accessVersion: version,
    language: isLanguage(language) ? language : 'en',
    permissions: new Set(
      limits
        ? permissions.filter((code) => limits.includes(code) || limits.includes(`*${code.slice(code.indexOf('.'))}`))
        : permissions,
    ),
    roles,
    scopes: new Set(roles.map(({ scope }) => scope)),
    links,
  };
}

function cacheOf(db: Database): Map<string, CachedCaller> {
  const cache = cachedCallers.get(db) ?? new Map<string, CachedCaller>();
  cachedCallers.set(db, cache);
  return cache;
}
