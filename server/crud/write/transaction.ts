/** The transaction of a write: who calls is read in it, and what keys of the database refuse becomes an answer. */
import type { FastifyRequest } from 'fastify';
import type { Entity } from '../../../schema/dsl/entity';
import { readCaller } from '../../auth/auth';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Services } from '../../context/services';
import { ForeignKeyViolation, type Queries, UniqueViolation } from '../../db/core/database';
import { fieldOfKey } from '../../db/core/names';

/**
 * A request to write. Who calls is read inside its transaction (`transacted`): the caller of the request itself may be
 * as of earlier.
 */
export interface WriteRequest {
  services: Services;
  entity: Entity;
  request: FastifyRequest;
}

/** Runs `work` in a transaction, as who calls when it begins: it judges what they may. */
export const inTransaction = <T>(
  { services, entity, request }: WriteRequest,
  work: (tx: Queries, caller: Caller) => Promise<T>,
  taken?: () => ApiError,
): Promise<T> =>
  explained(entity, () => services.db.transaction(async (tx) => work(tx, await readCaller(tx, request))), taken);

/** What keys of the database refuse, as a refusal: a unique key that was taken meanwhile is a problem at its field. */
async function explained<T>(entity: Entity, work: () => Promise<T>, taken?: () => ApiError): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw ApiError.conflict();
    if (!(error instanceof UniqueViolation)) throw error;
    const field = fieldOfKey(entity, error.constraint);
    throw taken?.() ?? (field ? ApiError.invalidAt(field, { key: 'taken' }, entity.name) : ApiError.conflict());
  }
}
