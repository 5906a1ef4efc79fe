/** Small parts of reading requests and answering them, for every route. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';

/** Every call of the API begins with it (specification, section 7). */
export const apiPrefix = '/api/v1';

/** The same rows in the words of json-server, for clients that speak those (`features/jsonServer`). */
export const jsonServerPrefix = '/api/json-server/v1';

/** JSON text passed through as it is. */
export const sendJsonText = (reply: FastifyReply, body: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(body);

/** The query string, without `?`. */
export function queryStringOf({ url }: FastifyRequest): string {
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
}

/** The id in the path; anything but a positive integer names no row. */
export function idParam(request: FastifyRequest, name = 'id'): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= 2_147_483_647)) throw ApiError.notFound();
  return id;
}
