/** The only place that puts what went wrong into the contract's bodies. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { namedProblems } from '../../schema/dsl/requestLimits';
import type { Language } from '../../schema/shared/languages';
import { ApiError, type MessageRef, precognitionHeaders } from '../context/errors';
import { DatabaseAway, ForeignKeyViolation, StatementCancelled, UniqueViolation } from '../db/core/database';
import { isFull, mayTryAgain } from '../db/core/faults';
import { formatMessage, problemText, saidText } from '../i18n/messages';
import { languageOf } from './language';

/** Seconds after which a client may ask again while the database is away. */
const retryAfter = 2;
/** The same while there is no room: somebody has to make some. */
const retryAfterFull = 30;
/** The same after a statement that took too long: what is busy now needs longer. */
const retryAfterTimeout = 10;

export function respondToError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers.precognition === 'true') reply.headers(precognitionHeaders);
  const refusal = refusalOf(error, request);
  if (!refusal) {
    request.log.error(
      { err: error, id: request.id, method: request.method, route: request.routeOptions.url },
      'unexpected error',
    );
    return reply.status(500).send({ message: 'Server Error', id: request.id });
  }
  reply.status(refusal.status).headers(refusal.more.headers ?? {});
  return reply.send(errorBodyOf(refusal, languageOf(request)));
}

/** Status and body of an answer that tells an error when its head is gone already. */
export function errorResponseOf(error: unknown, request: FastifyRequest): Record<string, unknown> {
  const refusal = refusalOf(error, request);
  if (!refusal)
    request.log.error(
      { err: error, id: request.id, method: request.method, route: request.routeOptions.url },
      'unexpected error',
    );
  return refusal
    ? { status: refusal.status, ...errorBodyOf(refusal, languageOf(request)) }
    : { status: 500, message: 'Server Error', id: request.id };
}

/** The refusal that an error means, or `undefined` for one that nobody foresaw. */
function refusalOf(error: unknown, { server }: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // While it is short of room the embedded database only reads, which it says as a server does that may not be written
  // to.
  if (isFull(error) || (error instanceof DatabaseAway && server.services.storage.isShort()))
    return new ApiError(507, { text: 'no_room' }, { headers: { 'Retry-After': String(retryAfterFull) } });
  if (error instanceof DatabaseAway)
    return new ApiError(503, { text: 'unavailable' }, { headers: { 'Retry-After': String(retryAfter) } });
  // Transactions that kept meeting others have been tried again already.
  if (error instanceof UniqueViolation || error instanceof ForeignKeyViolation || mayTryAgain(error))
    return ApiError.conflict();
  if (error instanceof StatementCancelled)
    return new ApiError(503, { text: 'timed_out' }, { headers: { 'Retry-After': String(retryAfterTimeout) } });
  return error instanceof Error ? ofFramework(error as FastifyError) : undefined;
}

/** What Fastify and its plugins refuse by themselves. */
function ofFramework({ statusCode = 500, code = '' }: FastifyError): ApiError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return ApiError.tooLarge();
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) return ApiError.wrongType();
  if (code === 'FST_ERR_MAX_PARAM_LENGTH' || statusCode === 404) return ApiError.notFound();
  // A form without a boundary, a client that went away in the middle of its body, a path that is no UTF-8.
  return statusCode >= 400 && statusCode < 500 ? ApiError.malformed() : undefined;
}

interface RefusedBody extends Record<string, unknown> {
  message: string;
  errors?: Record<string, string[]>;
}

/** At most `namedProblems` of what is wrong is spelled out; the message says how much there is. */
export function errorBodyOf({ said, more }: ApiError, language: Language): RefusedBody {
  if (!more.errors) return { message: saidText(language, said as string | MessageRef), ...more.body };
  const problems = [...more.errors].flatMap(([field, found]) => found.map((problem) => ({ field, problem })));
  const named = problems
    .slice(0, namedProblems)
    .map(({ field, problem }) => ({ field, text: problemText(language, { entity: more.entity, field, problem }) }));
  const errors = new Map<string, string[]>();
  for (const { field, text } of named) {
    const there = errors.get(field);
    if (there) there.push(text);
    else errors.set(field, [text]);
  }
  const first = named[0]?.text ?? '';
  const others = problems.length - 1;
  const message =
    others > 0 ? `${first} ${formatMessage(language, 'api.more_errors', { smart_count: others })}` : first;
  return { message, errors: Object.fromEntries(errors), ...more.body };
}
