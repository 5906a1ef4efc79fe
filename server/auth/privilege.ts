/** Prevents privilege escalation: nobody may grant a role, permission or scope beyond their own. */
import { sql } from 'drizzle-orm';
import { type ScopeKind, scopeKinds } from '../../schema/shared/roles';
import { visibleIds } from '../access/scopeWhere';
import type { Caller } from '../context/caller';
import { ApiError } from '../context/errors';
import type { EntityModel } from '../context/services';
import type { Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';

/** Rows to which a user is linked, by kind. */
export type UserLinks = Caller['links'];

/** Returns the roles among `ids` that exceed the caller's own roles: by a permission, or by a wider scope kind. */
export async function findExceedingRoles(db: Queries, caller: Caller, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db.select(
    { id: pg.integer, scope: pg.text.as<ScopeKind>(), codes: pg.text.array },
    sql`
    select r.id, r.scope, array(select p.code_name from roles_permissions k
    join permissions p on p.id = k.permissions_id and p.deleted_at is null where k.roles_id = r.id) as codes
    from roles r where r.id = any(${sql.param([...ids])}::int[])`,
  );
  return rows
    .filter(({ scope, codes }) => isWider(caller, scope) || codes.some((code) => !caller.permissions.has(code)))
    .map(({ id }) => id);
}

/**
 * Whether a user with these roles needs a client: one of them has scope client, site or machine, and none has scope
 * `all`, which covers everything anyway.
 */
export async function needsClient(db: Queries, roles: readonly number[]): Promise<boolean> {
  const row = await db.selectOne(
    { needs_client: pg.boolean },
    sql`select coalesce(bool_or(scope in ('client', 'site', 'machine')) and not bool_or(scope = 'all'), false)
    as needs_client
    from roles where id = any(${sql.param([...roles])}::int[])`,
  );
  return row?.needs_client ?? false;
}

/** Whether the scope kind is wider than the caller's widest. */
export function isWider({ scopes }: Caller, kind: ScopeKind): boolean {
  const ownRank = scopeKinds.findIndex((scope) => scopes.has(scope));
  return ownRank < 0 || scopeKinds.indexOf(kind) < ownRank;
}

/**
 * Returns the kinds of links that exceed the caller's own. A caller may grant a row only if one of their roles covers
 * it as a whole; seeing the row is not enough.
 */
export async function findExceedingLinks(
  db: Queries,
  model: EntityModel,
  caller: Caller,
  linksToGrant: Partial<UserLinks>,
): Promise<(keyof UserLinks)[]> {
  if (caller.scopes.has('all')) return [];
  const { links } = caller;
  const callerByWideScopes: Caller = {
    ...caller,
    scopes: new Set([...caller.scopes].filter((kind) => kind !== 'site' && kind !== 'machine')),
  };
  const exceeds = async (entity: string, ids: readonly number[], ownIds: readonly number[]) => {
    const addedIds = ids.filter((id) => !ownIds.includes(id));
    return (
      addedIds.length > 0 &&
      (await visibleIds(db, model.require(entity), callerByWideScopes, addedIds)).length < addedIds.length
    );
  };
  const exceedingKinds: (keyof UserLinks)[] = [];
  if ((linksToGrant.countries ?? []).some((id) => !(caller.scopes.has('country') && links.countries.includes(id))))
    exceedingKinds.push('countries');
  if (
    linksToGrant.client &&
    (await exceeds('clients', [linksToGrant.client], links.client === null ? [] : [links.client]))
  )
    exceedingKinds.push('client');
  if (await exceeds('clients', linksToGrant.clients ?? [], caller.scopes.has('partner') ? links.clients : []))
    exceedingKinds.push('clients');
  if (await exceeds('fleets', linksToGrant.fleets ?? [], links.fleets)) exceedingKinds.push('fleets');
  // A fleet contains its locations as a whole. Whoever sees a machine may grant it, because it contains no other rows.
  if (
    await exceeds('locations', linksToGrant.locations ?? [], [
      ...links.locations,
      ...(await readLocationIds(db, links.fleets)),
    ])
  )
    exceedingKinds.push('locations');
  const machines = linksToGrant.machines ?? [];
  if (
    machines.length > 0 &&
    (await visibleIds(db, model.require('machines'), caller, machines)).length < machines.length
  )
    exceedingKinds.push('machines');
  return exceedingKinds;
}

/** Throws 403 if a user's permissions or scope exceed the caller's, 404 if there is no such user. */
export async function requireNotMorePrivileged(
  db: Queries,
  model: EntityModel,
  caller: Caller,
  userId: number,
): Promise<void> {
  if (caller.scopes.has('all') && caller.userId === userId) return;
  const user = await db.selectOne(
    {
      roles: pg.integer.array,
      kinds: pg.text.as<ScopeKind>().array,
      links: pg.json<UserLinks>(),
    },
    sql`
    select array(select k.roles_id from users_roles k join roles r on r.id = k.roles_id and r.deleted_at is null
    where k.users_id = u.id) as roles,
      array(select distinct r.scope from users_roles k join roles r on r.id = k.roles_id and r.deleted_at is null
      where k.users_id = u.id) as kinds,
      json_build_object('client', u.client_id, ${sql.raw(
        ['clients', 'countries', 'fleets', 'locations', 'machines']
          .map(
            (to) => `'${to}', (select coalesce(json_agg(k.${to}_id), '[]') from users_${to} k where k.users_id = u.id)`,
          )
          .join(', '),
      )}) as links
    from users u where u.id = ${userId}`,
  );
  if (!user) throw ApiError.notFound();
  if ((await findExceedingRoles(db, caller, user.roles)).length > 0) throw ApiError.forbidden();
  if ((await findExceedingLinks(db, model, caller, effectiveLinks(user.links, user.kinds))).length > 0)
    throw ApiError.forbidden();
}

/** Returns the links that the scope kinds use. */
function effectiveLinks(links: UserLinks, kinds: readonly ScopeKind[]): Partial<UserLinks> {
  const hasAnyOf = (...wantedKinds: ScopeKind[]) => wantedKinds.some((kind) => kinds.includes(kind));
  return {
    ...(hasAnyOf('country') && { countries: links.countries }),
    ...(hasAnyOf('partner', 'client') && { client: links.client }),
    ...(hasAnyOf('partner') && { clients: links.clients }),
    ...(hasAnyOf('site', 'machine') && { fleets: links.fleets, locations: links.locations, machines: links.machines }),
  };
}

async function readLocationIds(db: Queries, fleets: readonly number[]): Promise<number[]> {
  if (fleets.length === 0) return [];
  const rows = await db.select(
    { id: pg.integer },
    sql`select id from locations where fleet_id = any(${sql.param([...fleets])}::int[]) and deleted_at is null`,
  );
  return rows.map(({ id }) => id);
}
