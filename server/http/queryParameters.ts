/**
 * Declares the query parameters of each call, and rejects reads with any other parameter: if the server ignored it, the
 * response would answer a different question.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DialectParameter } from '../../schema/endpoints/endpoint';
import { ApiError } from '../context/errors';
import { apiPrefix, queryStringOf } from './http';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Query parameters of a GET route; none by default. Public routes without a declaration accept any parameter. */
    parameters?: readonly string[];
  }
}

/** Parameters of a single row. */
export const rowParameters = ['include', 'fields'] as const;
export const filterParameters = ['filter'] as const;
export const pageParameters = ['page', 'per_page', 'perPage', 'limit'] as const;
/** Parameters of a list. */
export const listParameters = [...filterParameters, 'sort', ...rowParameters, ...pageParameters] as const;
/** Parameters of an export as a spreadsheet. */
export const sheetParameters = ['format', 'delimiter'] as const;
/** Parameter names of the parts of the list dialect that an endpoint declares. */
export const dialectParameters = (parts: readonly DialectParameter[]): string[] =>
  parts.flatMap((part): readonly string[] => (part === 'page' ? pageParameters : [part]));

/** Bracket forms of the list dialect. */
const bracketForms: Record<string, RegExp> = {
  filter: /^(\[[^[\]]+\])+(\[\])?$/,
  fields: /^\[[^[\]]+\](\[\])?$/,
  page: /^(\[(number|size)\])?$/,
  sort: /^(\[\])?$/,
  include: /^(\[\])?$/,
};

/** Whether a parameter such as `filter[fleet][name]` has an allowed name and a valid bracket form. */
function isAllowed(parameter: string, allowedNames: readonly string[]): boolean {
  // Method override of forms; accepted everywhere.
  if (parameter === '_method') return true;
  const name = parameter.split('[', 1)[0] ?? '';
  return allowedNames.includes(name) && (bracketForms[name] ?? /^$/).test(parameter.slice(name.length));
}

/** Hook that answers reads with unknown parameters with 400. */
export function requireKnownParameters(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: ApiError) => void,
): void {
  const allowedNames = allowedParameters(request);
  const search = queryStringOf(request);
  const unknownNames =
    allowedNames && search !== ''
      ? [...new Set(new URLSearchParams(search).keys())].filter((name) => !isAllowed(name, allowedNames))
      : [];
  done(
    allowedNames && unknownNames.length > 0 ? ApiError.notAllowed('parameter', unknownNames, allowedNames) : undefined,
  );
}

/** Parameters that a request may use; `undefined` if they are not checked. */
function allowedParameters({ method, url, is404, routeOptions }: FastifyRequest): readonly string[] | undefined {
  const { parameters, public: isPublic } = routeOptions.config;
  const isRead = (method === 'GET' || method === 'HEAD') && url.startsWith(`${apiPrefix}/`) && !is404;
  return isRead ? (parameters ?? (isPublic ? undefined : [])) : undefined;
}
