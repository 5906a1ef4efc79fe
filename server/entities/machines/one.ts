/** What the calls about one machine have in common: who may, and which machine. */
import type { FastifyRequest } from 'fastify';
import { registry } from '../../../schema/index';
import { may } from '../../api/caller';
import { base, idOf, searchOf } from '../../api/http';
import { visible } from '../../api/scope';

export const path = `${base}/machines/:id`;

/** The machine's id, once it is certain that the caller may see it. */
export async function seenMachine(request: FastifyRequest): Promise<number> {
  may(request.caller, 'machines.show');
  const id = idOf(request);
  await visible(request.server.services.db, registry.machines, request.caller, id);
  return id;
}

export const queryOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(searchOf(request));
