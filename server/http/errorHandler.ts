/** Turns errors into the response bodies of the contract; no other module does. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { addToGroup } from '../../schema/dsl/addToGroup';
import { maxListedProblems } from '../../schema/dsl/requestLimits';
import type { Language } from '../../schema/shared/languages';
import { ApiError, type MessageRef, precognitionHeaders } from '../context/errors';
import { ObjectStorageUnavailable } from '../context/objectStorage';
import { DatabaseAway, ForeignKeyViolation, StatementCancelled, UniqueViolation } from '../db/core/database';
import { isFull, isRetryable } from '../db/core/faults';
import { apiErrorText, formatMessage, problemText } from '../i18n/messages';
import { languageOf } from './languageOf';

/** Retry-After in seconds while the database is unreachable. */
const retryAfter = 2;
/** Retry-After while the object storage is unreachable. */
const retryAfterFiles = 10;
/** Retry-After while the disk is full; long, because somebody has to free space. */
const retryAfterFull = 30;
/** Retry-After of a cancelled statement; longer, because an overloaded server needs time. */
const retryAfterTimeout = 10;

/** Error handler of the application. Logs unexpected errors and answers them with 500. */
export function respondToError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers.precognition === 'true') reply.headers(precognitionHeaders);
  const apiError = apiErrorOf(error, request);
  if (!apiError) {
    logUnexpected(error, request);
    return reply.status(500).send({ message: 'Server Error', id: request.id });
  }
  reply.status(apiError.status).headers(apiError.details.headers ?? {});
  return reply.send(errorBodyOf(apiError, languageOf(request)));
}

/** Status and body of an error that occurs after the response headers were sent. */
export function errorResponseOf(error: unknown, request: FastifyRequest): Record<string, unknown> {
  const apiError = apiErrorOf(error, request);
  if (!apiError) logUnexpected(error, request);
  return apiError
    ? { status: apiError.status, ...errorBodyOf(apiError, languageOf(request)) }
    : { status: 500, message: 'Server Error', id: request.id };
}

const logUnexpected = (error: unknown, { id, log, method, routeOptions }: FastifyRequest): void =>
  log.error({ err: error, id, method, route: routeOptions.url }, 'unexpected error');

/** Maps an error to the one that the client gets; `undefined` for an unexpected error. */
function apiErrorOf(error: unknown, { server, log }: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // While disk space is short, the embedded database is read-only and its errors look like those of a read-only server.
  if (isFull(error) || (error instanceof DatabaseAway && server.services.storage.isShort()))
    return new ApiError(507, { text: 'no_room' }, { headers: { 'Retry-After': String(retryAfterFull) } });
  if (error instanceof DatabaseAway)
    return new ApiError(503, { text: 'unavailable' }, { headers: { 'Retry-After': String(retryAfter) } });
  if (error instanceof ObjectStorageUnavailable) {
    log.warn({ err: error }, 'a file in the object storage could not be read');
    return new ApiError(503, { text: 'files_away' }, { headers: { 'Retry-After': String(retryAfterFiles) } });
  }
  // Serialization failures have been retried already.
  if (error instanceof UniqueViolation || error instanceof ForeignKeyViolation || isRetryable(error))
    return ApiError.conflict('conflict');
  if (error instanceof StatementCancelled)
    return new ApiError(503, { text: 'timed_out' }, { headers: { 'Retry-After': String(retryAfterTimeout) } });
  return error instanceof Error ? frameworkError(error as FastifyError) : undefined;
}

/** Maps an error of Fastify or a plugin; `undefined` if it is the server's fault. */
function frameworkError({ statusCode = 500, code = '' }: FastifyError): ApiError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return ApiError.tooLarge();
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) return ApiError.wrongType();
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || statusCode === 404) return ApiError.notFound();
  // Such as a form without a boundary, a request aborted in its body, or a path that is not UTF-8.
  return statusCode >= 400 && statusCode < 500 ? ApiError.malformed() : undefined;
}

interface ErrorBody extends Record<string, unknown> {
  message: string;
  errors?: Record<string, string[]>;
  /** Rows that refer to this one (`server/crud/write/inUseError.ts`). */
  uses?: unknown;
}

/** Body of an error. Lists at most `maxListedProblems` problems; the message counts the others. */
export function errorBodyOf({ reason, details }: ApiError, language: Language): ErrorBody {
  if (!details.errors) return { message: apiErrorText(language, reason as string | MessageRef), ...details.body };
  const problems = [...details.errors].flatMap(([field, fieldProblems]) =>
    fieldProblems.map((problem) => ({ field, problem })),
  );
  const messages = problems
    .slice(0, maxListedProblems)
    .map(({ field, problem }) => ({ field, text: problemText(language, { entity: details.entity, field, problem }) }));
  const errors = new Map<string, string[]>();
  for (const { field, text } of messages) addToGroup(errors, field, text);
  const firstMessage = messages[0]?.text ?? '';
  const otherCount = problems.length - 1;
  const message =
    otherCount > 0
      ? `${firstMessage} ${formatMessage(language, 'api.more_errors', { smart_count: otherCount })}`
      : firstMessage;
  return { message, errors: Object.fromEntries(errors), ...details.body };
}
