/** Reads uploaded files, from the database or, once moved, from the object storage. */
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { FastifyReply } from 'fastify';
import { type ObjectStorage, ObjectStorageUnavailable } from '../context/objectStorage';
import { pg, type RowOf } from '../db/core/rowShape';

export const storedFileShape = {
  media_type: pg.text,
  size: pg.integer,
  bytes: pg.bytea.nullable,
  object_key: pg.text.nullable,
};
export type StoredFile = RowOf<typeof storedFileShape>;

/** Columns of `storedFileShape`; `f` is the alias of `files`. */
export const storedFileColumns = sql.raw(
  Object.keys(storedFileShape)
    .map((column) => `f.${column}`)
    .join(', '),
);

/**
 * Opens the content of a file. Bytes in the database take precedence: a version without object storage may have
 * replaced the file.
 * @throws ObjectStorageUnavailable
 */
export async function openStoredFile(
  { bytes, object_key, size }: Pick<StoredFile, 'bytes' | 'object_key' | 'size'>,
  objects: ObjectStorage | undefined,
): Promise<Buffer | Readable> {
  if (bytes) return Buffer.from(bytes);
  if (object_key === null) throw new Error('A file has neither bytes nor an object.');
  if (!objects) throw new ObjectStorageUnavailable('A file is in the object storage, but FILES_URL is not set.');
  return objects.get(object_key, size);
}

/** Sends a file with its media type and additional headers; an error response does not get these headers. */
export async function sendStoredFile(
  reply: FastifyReply,
  file: StoredFile,
  headers: Record<string, string> = {},
): Promise<FastifyReply> {
  const content = await openStoredFile(file, reply.server.services.objects);
  reply.type(file.media_type).headers(headers);
  return content instanceof Readable ? reply.header('Content-Length', file.size).send(content) : reply.send(content);
}
