/** Reads multipart forms, and turns errors of the parser into errors of the contract. */
import type { FastifyRequest } from 'fastify';
import { requestLimits } from '../../schema/dsl/requestLimits';
import { ApiError } from '../context/errors';
import { bodyLimit } from './parsers';

export type FormPart = { name: string; text: string } | { name: string; filename: string; bytes: Buffer };

/**
 * Yields the parts in the order sent. `entity` is the resource whose labels the messages use; `fileSize` replaces the
 * default limit in bytes.
 * @throws 400 for an unreadable or empty form or too many pairs, 413 for more than 1 MB of text or too large a file,
 * 422 for an impossible field name
 */
export async function* readFormParts(
  request: FastifyRequest,
  entity?: string,
  fileSize?: number,
): AsyncGenerator<FormPart> {
  let lastName = '';
  let textBytes = 0;
  let isEmpty = true;
  const isPartAFile = (field: string | undefined, type: string | undefined, filename: string | undefined) => {
    lastName = field ?? '';
    return filename !== undefined || type === 'application/octet-stream';
  };
  try {
    for await (const part of request.parts({
      isPartAFile,
      ...(fileSize !== undefined && { limits: { fileSize: fileSize + 1 } }),
    })) {
      isEmpty = false;
      if (part.type === 'file') yield { name: part.fieldname, filename: part.filename, bytes: await part.toBuffer() };
      else {
        const text = String(part.value);
        textBytes += Buffer.byteLength(text);
        if (part.valueTruncated || textBytes > bodyLimit) throw ApiError.tooLarge();
        yield { name: part.fieldname, text };
      }
    }
    if (isEmpty) throw ApiError.malformed();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const { code, statusCode } = error as { code?: string; statusCode?: number };
    // The plugin rejects names such as `__proto__`; here they count as unknown fields.
    if (code === 'FST_PROTO_VIOLATION') throw ApiError.invalidAt(lastName, { key: 'unknown' }, entity);
    if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
      throw ApiError.limitExceeded('limit_pairs', requestLimits.pairs);
    throw statusCode === 413 ? ApiError.tooLarge() : ApiError.malformed();
  } finally {
    // Drains the rest of a rejected form; otherwise the next request on this connection would wait behind it.
    if (!request.raw.readableEnded) {
      request.raw.unpipe();
      request.raw.resume();
    }
  }
}
