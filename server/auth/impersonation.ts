/** Looking at the product as another user: what such a session may call, and as long as what it holds. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';

/** Refuses with 403 whatever would change something: only calls that read, and those that say so, are let through. */
export function denyWritesWhileImpersonating({ caller, method, routeOptions }: FastifyRequest): void {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || routeOptions.config.reads;
  if (caller.impersonatedBy !== undefined && !reads) throw ApiError.readOnly();
}

/** True in SQL while the session `s` is its user's own, or while whoever looks may still do so. */
export const impersonationIsValid =
  `(s.impersonated_by is null or exists (
    select 1 from users a join users_roles ur on ur.users_id = a.id join roles r on r.id = ur.roles_id and ` +
  `r.deleted_at is null
      join roles_permissions rp on rp.roles_id = r.id join permissions p on p.id = rp.permissions_id and ` +
  `p.deleted_at is null
    where a.id = s.impersonated_by and a.deleted_at is null and p.code_name = 'users.impersonate'))`;
