/** Calls allowed during impersonation, and how long its sessions are valid. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';

/** Throws 403 for calls that may change something; only reads and routes marked `reads` pass. */
export function denyWritesWhileImpersonating({ caller, method, routeOptions }: FastifyRequest): void {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || routeOptions.config.reads;
  if (caller.impersonatedBy !== undefined && !isRead) throw ApiError.readOnly();
}

/** SQL condition: the session `s` is its user's own, or the impersonator still has the permission. */
export const validImpersonationWhere = `(s.impersonated_by is null or exists (
    select 1
    from users a
    join users_roles ur on ur.users_id = a.id
    join roles r on r.id = ur.roles_id and r.deleted_at is null
    join roles_permissions rp on rp.roles_id = r.id
    join permissions p on p.id = rp.permissions_id and p.deleted_at is null
    where a.id = s.impersonated_by and a.deleted_at is null and p.code_name = 'users.impersonate'))`;
