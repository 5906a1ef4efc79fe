/** Answers of bulk work: at its end, or line by line while it goes on. */
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorResponseOf } from '../../http/errorHandler';
import type { BulkOutcome } from './bulk';
import type { OnProgress } from './write';

/** Whoever accepts it hears how far the work is, and ends it by going away. */
export const ndjsonMediaType = 'application/x-ndjson';

/** Milliseconds between two lines. */
const pause = 200;

/** Thrown into work whose caller went away, so that its transaction leaves nothing. */
class GoneAway extends Error {}

/**
 * `{count}`; or lines `{"done":7,"of":40}` and at last `{"count":40,"undo":{...}}` or `{"status":422,"message":"..."}`.
 */
export async function sendBulkResult(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (told?: OnProgress) => Promise<BulkOutcome>,
): Promise<unknown> {
  if (request.headers.accept !== ndjsonMediaType) return { count: (await work()).count };
  const lines = new PassThrough();
  let isAway = false;
  reply.raw.once('close', () => {
    isAway = !lines.writableFinished;
  });
  const write = (line: object) => void lines.write(`${JSON.stringify(line)}\n`);
  let last = 0;
  const told: OnProgress = (done, of) => {
    if (isAway) throw new GoneAway();
    const now = performance.now();
    if (now - last < pause) return;
    last = now;
    write({ done, of });
  };
  void work(told)
    .then(write, (error: unknown) => {
      if (!(error instanceof GoneAway)) write(errorResponseOf(error, request));
    })
    .finally(() => lines.end());
  return reply.type(ndjsonMediaType).send(lines);
}
