/**
 * Callers from the database, cached per token together with the sum of write counters of the tables that decide access.
 * Every request reads that sum, so a logout, a changed role or a moved link holds from the next request on, in every
 * process of the database; and while nothing was written, one cheap statement is all.
 */

import { isLanguage } from '../../schema/shared/languages';
import type { ScopeKind } from '../../schema/shared/roles';
import type { Caller } from '../context/caller';
import type { Database, Queries } from '../db/core/database';
import { impersonationIsValid } from './impersonation';
import { tokenKey } from './secrets';

/** Tables whose writes can change what a session may do. */
const accessTables = [
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

/** SQL of the sum that `Caller.accessVersion` was read at. While it is equal, the caller still holds. */
export const accessVersion = `(select coalesce(sum(n), 0)::float8 from write_counts
  where relation in (${accessTables.map((name) => `'${name}'`).join(', ')}))`;

/** What a user `u` with the language `l` may do and how far they reach, as JSON fields. */
const access =
  `'language', l.two_letter_code,
    'permissions', (select coalesce(json_agg(distinct p.code_name), '[]') from users_roles ur join roles r on ` +
  `r.id = ur.roles_id and r.deleted_at is null
      join roles_permissions rp on rp.roles_id = r.id join permissions p on p.id = rp.permissions_id and ` +
  `p.deleted_at is null where ur.users_id = u.id),
    'roles', (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'scope', r.scope) order by ` +
  `r.id), '[]')
      from users_roles ur join roles r on r.id = ur.roles_id and r.deleted_at is null where ur.users_id = u.id),
    'links', json_build_object('client', u.client_id, ${['clients', 'countries', 'fleets', 'locations', 'machines']
      .map(
        (to) =>
          `'${to}', (select coalesce(json_agg(k.${to}_id order by k.${to}_id), '[]') from users_${to} k where ` +
          `k.users_id = u.id)`,
      )
      .join(', ')})`;

/** Whoever is behind a token with this hash, as JSON; null when nobody is. */
const behind = (hash: string) => `(
  select json_build_object(
    'userId', u.id, 'sessionId', s.id, 'impersonatedBy', s.impersonated_by, 'tokenId', s.token_id, 'limits',
    s.permissions, 'expires', extract(epoch from s.expires_at) * 1000, ${access}
  ) from (
    select id, null::int as token_id, user_id, expires_at, null::text[] as permissions, impersonated_by from sessions
    where token_hash = ${hash}
    union all select 0, id, user_id, expires_at, permissions, null from api_tokens where token_hash = ${hash}
  ) s join users u on u.id = s.user_id and u.deleted_at is null left join languages l on l.id = u.language_id
  where s.expires_at > now() and ${impersonationIsValid}
)`;

const statement = `
select v.version, case when v.version = $2::float8 then null else ${behind('$1::bytea')} end as found
from (select ${accessVersion} as version) v`;

const statementOfMany = `
select v.version, t.key, ${behind("decode(t.key, 'base64')")} as found from (select ${accessVersion} as version) v,
unnest($1::text[]) as t(key)`;

const statementOfUser = `
select ${accessVersion} as version, json_build_object('userId', u.id, 'sessionId', 0, 'tokenId', t.id, 'limits',
t.permissions, ${access}) as found
from users u left join languages l on l.id = u.language_id left join api_tokens t on t.id = $2::int and t.user_id = u.id
and t.expires_at > now()
where u.id = $1::int and u.deleted_at is null and ($2::int is null or t.id is not null)`;

interface TokenRow {
  userId: number;
  sessionId: number;
  impersonatedBy?: number | null;
  /** Of an API token, and what it is limited to. */
  tokenId?: number | null;
  limits?: string[] | null;
  expires: number;
  language: string | null;
  permissions: string[];
  roles: { id: number; name: string; scope: ScopeKind }[];
  links: Caller['links'];
}

interface Remembered {
  caller: Caller;
  /** Milliseconds since 1970. */
  expires: number;
}

const memories = new WeakMap<Queries, Map<string, Remembered>>();

const most = 5000;

/**
 * The caller of a session's token, or `undefined` when the session has ended, expired or never was. `queries`: a
 * transaction that has written nothing yet.
 */
export async function loadCaller(db: Database, tokenHash: Buffer, queries: Queries = db): Promise<Caller | undefined> {
  const memory = memoryOf(db);
  const key = tokenKey(tokenHash);
  const known = memory.get(key);
  const [row] = await queries.text<{ version: number; found: TokenRow | null }>(statement, [
    tokenHash,
    known?.caller.accessVersion ?? -1,
  ]);
  if (known && row?.version === known.caller.accessVersion)
    return known.expires > Date.now() ? known.caller : undefined;
  memory.delete(key);
  if (!row?.found) return undefined;
  return remember(memory, { key, found: row.found, version: row.version });
}

function remember(
  memory: Map<string, Remembered>,
  { key, found: { expires, ...found }, version }: { key: string; found: TokenRow; version: number },
): Caller {
  const caller = callerOf(found, version);
  memory.set(key, { caller, expires });
  if (memory.size > most) memory.delete(memory.keys().next().value as string);
  return caller;
}

/**
 * The same for many tokens, by the base64 of their hashes: one statement while nothing has changed what anybody may do,
 * and two otherwise. Whose session has ended is left out.
 */
export async function loadCallers(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, Caller>> {
  const memory = memoryOf(db);
  const [current] = await db.text<{ version: number }>(`select ${accessVersion} as version`, []);
  const callers = new Map<string, Caller>();
  const stale = new Set<string>();
  for (const key of keys) {
    const known = memory.get(key);
    if (known?.caller.accessVersion !== current?.version) stale.add(key);
    else if (known && known.expires > Date.now()) callers.set(key, known.caller);
  }
  if (stale.size === 0) return callers;
  const rows = await db.text<{ version: number; key: string; found: TokenRow | null }>(statementOfMany, [[...stale]]);
  for (const { version, key, found } of rows) {
    memory.delete(key);
    if (found) callers.set(key, remember(memory, { key, found, version }));
  }
  return callers;
}

/**
 * A user as they are now, without a session: for what they have had sent or shown elsewhere, or asked for by an API
 * token, whose limits then hold.
 * `undefined` once they are gone, or the token is.
 */
export async function loadCallerOfUser(
  db: Queries,
  userId: number,
  tokenId: number | null = null,
): Promise<Caller | undefined> {
  const [row] = await db.text<{ version: number; found: Omit<TokenRow, 'expires'> }>(statementOfUser, [
    userId,
    tokenId,
  ]);
  return row && callerOf(row.found, row.version);
}

/**
 * The caller as last seen, without asking the database: good for counting requests and for `proven` reads, never for
 * granting anything by itself.
 */
export function cachedCaller(db: Database, tokenHash: Buffer): Caller | undefined {
  const known = memoryOf(db).get(tokenKey(tokenHash));
  return known && known.expires > Date.now() ? known.caller : undefined;
}

function callerOf(
  {
    userId,
    sessionId,
    impersonatedBy,
    tokenId,
    limits,
    language,
    permissions,
    roles,
    links,
  }: Omit<TokenRow, 'expires'>,
  version: number,
): Caller {
  return {
    userId,
    sessionId,
    ...(impersonatedBy && { impersonatedBy }),
    ...(tokenId && { tokenId }),
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

function memoryOf(db: Database): Map<string, Remembered> {
  const memory = memories.get(db) ?? new Map<string, Remembered>();
  memories.set(db, memory);
  return memory;
}
