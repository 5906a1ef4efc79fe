/**
 * The query parameters that calls take. A reading call of the API refuses every other one: what is ignored in silence
 * answers another question.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../context/errors';
import { apiPrefix, queryStringOf } from './http';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Names of the query parameters of a GET route; none unless said. Public routes that do not say take any. */
    parameters?: readonly string[];
  }
}

/** Of one row. */
export const rowParameters = ['include', 'fields'] as const;
export const filterParameters = ['filter'] as const;
export const pageParameters = ['page', 'per_page', 'perPage', 'limit'] as const;
/** Of a list in the dialect. */
export const listParameters = [...filterParameters, 'sort', ...rowParameters, ...pageParameters] as const;
/** Of a file made of rows. */
export const sheetParameters = ['format', 'delimiter'] as const;
export const periodParameters = ['from', 'to'] as const;

/** Which bracketed names the dialect knows. */
const bracketed: Record<string, RegExp> = {
  filter: /^(\[[^[\]]+\])+(\[\])?$/,
  fields: /^\[[^[\]]+\](\[\])?$/,
  page: /^(\[(number|size)\])?$/,
  sort: /^(\[\])?$/,
  include: /^(\[\])?$/,
};

/** Whether a parameter such as `filter[fleet][name]` is one of the allowed names. */
function isAllowed(parameter: string, allowed: readonly string[]): boolean {
  // A form's override of the method is nobody's own parameter.
  if (parameter === '_method') return true;
  const name = parameter.split('[', 1)[0] ?? '';
  return allowed.includes(name) && (bracketed[name] ?? /^$/).test(parameter.slice(name.length));
}

/** The hook that refuses unknown parameters of reading calls by 400. */
export function requireKnownParameters(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (refused?: ApiError) => void,
): void {
  const allowed = allowedParameters(request);
  const search = queryStringOf(request);
  const unknown =
    allowed && search !== ''
      ? [...new Set(new URLSearchParams(search).keys())].filter((name) => !isAllowed(name, allowed))
      : [];
  done(allowed && unknown.length > 0 ? ApiError.notAllowed('parameter', unknown, allowed) : undefined);
}

/** The names that a request may use, `undefined` where nobody looks. */
function allowedParameters({ method, url, is404, routeOptions }: FastifyRequest): readonly string[] | undefined {
  const { parameters, public: isPublic } = routeOptions.config;
  const isReading = (method === 'GET' || method === 'HEAD') && url.startsWith(`${apiPrefix}/`) && !is404;
  return isReading ? (parameters ?? (isPublic ? undefined : [])) : undefined;
}
