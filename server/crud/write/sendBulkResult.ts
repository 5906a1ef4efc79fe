/** Sends the response of a bulk request at the end of its work, or line by line while it runs. */
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorResponseOf } from '../../http/errorHandler';
import type { BulkWriteResult } from './bulkRequest';
import type { OnProgress } from './rowWrites';

/** Clients that accept this type receive progress, and cancel the work by disconnecting. */
export const ndjsonMediaType = 'application/x-ndjson';

/** Minimum milliseconds between two lines. */
const lineInterval = 200;

/** Thrown when the client disconnects, to roll the transaction back. */
class ClientDisconnected extends Error {}

/**
 * Sends `{count}`; or lines `{"done":7,"of":40}` and finally `{"count":40,"undo":{...}}` or
 * `{"status":422,"message":"..."}`.
 */
export async function sendBulkResult(
  request: FastifyRequest,
  reply: FastifyReply,
  run: (onProgress?: OnProgress) => Promise<BulkWriteResult>,
): Promise<unknown> {
  if (request.headers.accept !== ndjsonMediaType) return { count: (await run()).count };
  const lines = new PassThrough();
  let isDisconnected = false;
  reply.raw.once('close', () => {
    isDisconnected = !lines.writableFinished;
  });
  const write = (line: object) => void lines.write(`${JSON.stringify(line)}\n`);
  let lastWrite = 0;
  const onProgress: OnProgress = (rowsDone, total) => {
    if (isDisconnected) throw new ClientDisconnected();
    const now = performance.now();
    if (now - lastWrite < lineInterval) return;
    lastWrite = now;
    write({ done: rowsDone, of: total });
  };
  void run(onProgress)
    .then(write, (error: unknown) => {
      if (!(error instanceof ClientDisconnected)) write(errorResponseOf(error, request));
    })
    .finally(() => lines.end());
  return reply.type(ndjsonMediaType).send(lines);
}
