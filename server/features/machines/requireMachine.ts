/** Permission and visibility check shared by the calls of one machine. */
import type { FastifyRequest } from 'fastify';
import { assertVisible } from '../../access/scope';
import { requirePermission } from '../../context/caller';
import { apiPrefix, idParam, queryStringOf } from '../../http/http';

export const machinePath = `${apiPrefix}/machines/:id`;

/** Returns the machine's id. Throws unless the caller may see the machine. */
export async function requireMachine(request: FastifyRequest): Promise<number> {
  requirePermission(request.caller, 'machines.show');
  const id = idParam(request);
  const { db, model } = request.server.services;
  await assertVisible(db, model.require('machines'), request.caller, id);
  return id;
}

export const queryParamsOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(queryStringOf(request));
