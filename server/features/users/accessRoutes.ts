/** `GET /users/{id}/access`: explains whether and why a user may do something, and how they reach a row. */
import { sql } from 'drizzle-orm';
import { codesOf, type EntityName } from '../../../schema';
import type { EndpointInput } from '../../../schema/endpoints';
import type { AccessResult } from '../../../schema/endpoints/people';
import type { ScopeKind } from '../../../schema/shared/roles';
import { column, notDeleted, QueryContext, table } from '../../access/entityModel';
import { pathWhere } from '../../access/relationPath';
import {
  hasGlobalScope,
  requireVisible,
  type ScopePath,
  scopePathsOf,
  scopeWhere,
  visibleIds,
} from '../../access/scopeWhere';
import { titleSql } from '../../access/titleSql';
import { loadCallerOfUser } from '../../auth/loadCaller';
import { type Caller, hasPermission, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Routes } from '../../context/services';
import type { Database } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';

/** A role of the user, and whether it grants the permission. */
interface RoleGrant {
  id: number;
  name: string;
  scope: ScopeKind;
  holds: boolean;
}

/** A link of the user that covers the row. Its name is null if the reader may not see the linked row. */
interface LinkGrant {
  kind: ScopePath['kind'];
  resource: EntityName;
  id: number;
  name: string | null;
}

export const accessRoutes: Routes = async (app) => {
  const { db, model } = app.services;

  serve(app, 'GET /users/{id}/access', async ({ params: { id }, query }, { caller }) => {
    const { entity, action, row } = readRequest(model.entities, query);
    // The reader must see both the user and the row.
    if (row !== undefined) {
      requirePermission(caller, `${entity.name}.show`);
      await requireVisible(db, entity, caller, row);
    }
    const user = await loadCallerOfUser(db, id);
    if (!user) throw ApiError.notFound();
    return { data: await explain(db, { caller, user, entity, action, row }) };
  });
};

interface ExplainRequest {
  entity: ModelEntity;
  action: string;
  row?: number;
}

function readRequest(
  entities: readonly ModelEntity[],
  { resource, action, id }: EndpointInput<'GET /users/{id}/access'>['query'],
): ExplainRequest {
  const name = resource ?? '';
  const entity = entities.find((candidate) => candidate.name === name || candidate.alias.includes(name));
  if (!entity)
    throw ApiError.invalidAt('resource', {
      key: name ? 'one_of' : 'required',
      values: { values: entities.map((entity) => entity.name).join(', ') },
    });
  const actions = codesOf(entity).map((code) => code.slice(code.indexOf('.') + 1));
  if (!actions.includes(action))
    throw ApiError.invalidAt('action', { key: 'one_of', values: { values: actions.join(', ') } });
  if (id && !/^[1-9]\d{0,8}$/.test(id)) throw ApiError.notFound();
  return { entity, action, ...(id && { row: Number(id) }) };
}

async function explain(
  db: Database,
  { caller, user, entity, action, row }: ExplainRequest & { caller: Caller; user: Caller },
): Promise<AccessResult> {
  const code = `${entity.name}.${action}`;
  const roles = await readGrantingRoles(db, user, code);
  const isPermitted = hasPermission(user, code);
  const isOwnRow = row !== undefined && action === 'edit' ? (entity.hooks.own?.is(user, row) ?? false) : false;
  const isGlobal = hasGlobalScope(entity, user);
  const paths = isGlobal || typeof entity.scope === 'string' ? [] : scopePathsOf(entity.scope, user);
  const reached =
    row === undefined
      ? isGlobal || entity.scope === 'record' || paths.some(({ ids }) => ids.length > 0)
      : await isReached(db, { entity, user, row });
  return {
    allowed: (isPermitted || isOwnRow) && reached,
    permission: { code, held: isPermitted, own: isOwnRow, roles },
    reach: {
      reached,
      everything: isGlobal ? (entity.scope === 'global' ? 'global' : 'all') : null,
      by: row === undefined ? [] : await findLinks(db, { caller, entity, paths, row }),
      ways: paths.map(({ kind, to, ids }) => ({ kind, resource: to, count: ids.length })),
    },
  };
}

async function isReached(
  db: Database,
  { entity, user, row }: { entity: ModelEntity; user: Caller; row: number },
): Promise<boolean> {
  return (await visibleIds(db, entity, user, [row])).length > 0;
}

async function readGrantingRoles(db: Database, user: Caller, code: string): Promise<RoleGrant[]> {
  const ids = sql.param(user.roles.map(({ id }) => id));
  const grantingRoles = await db.select(
    { id: pg.integer },
    sql`
    select k.roles_id as id from roles_permissions k join permissions p on p.id = k.permissions_id
    and p.deleted_at is null
    where p.code_name = ${code} and k.roles_id = any(${ids}::int[])`,
  );
  return user.roles.map(({ id, name, scope }) => ({
    id,
    name,
    scope,
    holds: grantingRoles.some((role) => role.id === id),
  }));
}

/** Returns the linked rows through which the user reaches the row, at most 20 per scope path. */
async function findLinks(
  db: Database,
  { caller, entity, paths, row }: { caller: Caller; entity: ModelEntity; paths: readonly ScopePath[]; row: number },
): Promise<LinkGrant[]> {
  const m = sql.raw('m');
  const grants: LinkGrant[] = [];
  for (const { kind, path, to, ids } of paths) {
    if (ids.length === 0) continue;
    const context = new QueryContext();
    const linkWhere = pathWhere(entity, m, path.split('.'), (value) => sql`${value} = link.id`, { context, caller });
    const target = entity.model.require(to);
    const link = sql.raw('link');
    const visibleWhere = sql`${scopeWhere(target, caller, link, context)}`;
    const rows = await db.select(
      { id: pg.integer, name: pg.text.nullable },
      sql`
      select link.id,
        case when ${visibleWhere} then ${titleSql(target, { row: link, language: caller.language })} end as name
      from ${table(target)} link
      where link.id = any(${sql.param([...ids])}::int[]) and ${notDeleted(link)}
        and exists (select 1 from ${table(entity)} m where ${column(m, 'id')} = ${row}::int and ${linkWhere})
        order by link.id limit 20`,
    );
    for (const { id, name } of rows) grants.push({ kind, resource: to, id, name });
  }
  return grants;
}
