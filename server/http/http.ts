/** Small helpers for all routes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';

/** Prefix of every call (specification, section 7). */
export const apiPrefix = '/api/v1';

/** Prefix under which the same rows are served in the dialect of json-server (`features/jsonServer`). */
export const jsonServerPrefix = '/api/json-server/v1';

/** Sends JSON text without parsing or printing it. */
export const sendJsonText = (reply: FastifyReply, body: string | Buffer): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(body);

/** Query string of a request without `?`, as sent. */
export function queryStringOf({ url }: FastifyRequest): string {
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
}

/** Reads an id from the path. Throws 404 for anything but a positive 32-bit integer. */
export function idParam(request: FastifyRequest, name = 'id'): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= 2_147_483_647)) throw ApiError.notFound();
  return id;
}
