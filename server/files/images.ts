/**
 * Uploaded images: checked by content, re-encoded so that they contain nothing else, and stored in the database at
 * first (`storedFile.ts`).
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import { limits, type ProblemKey } from '../../schema/dsl/checks';
import { ApiError } from '../context/errors';
import type { Routes } from '../context/services';
import type { Queries } from '../db/core/database';
import { loadSharp } from './loadSharp';
import { sendStoredFile, storedFileColumns, storedFileShape } from './storedFile';

/** Maximum pixels of the longer side of logos and portraits. */
const imageSide = 1024;
/** Maximum pixels to decode, because a small file can claim to be huge. */
const maxInputPixels = 40_000_000;
const kinds = { png: 'image/png', jpg: 'image/jpeg' } as const;

/** Pattern of image names, for JavaScript and PostgreSQL. */
export const pictureName = '[0-9a-f-]{36}[.](?:png|jpg)';

/**
 * Stores a PNG or JPEG under 2 MB (specification, section 9) without its metadata, at most `maxSide` pixels wide and
 * high. Returns the name under which it is served.
 */
export async function saveImage(
  db: Queries,
  bytes: Uint8Array,
  maxSide = imageSide,
): Promise<{ name: string } | { problem: ProblemKey }> {
  if (bytes.length >= limits.image) return { problem: 'image_size' };
  const ext = (await fileTypeFromBuffer(bytes))?.ext;
  if (ext !== 'png' && ext !== 'jpg') return { problem: 'image_type' };
  const image = await reencode(bytes, ext, maxSide);
  if (!image) return { problem: 'image_type' };
  const name = `${randomUUID()}.${ext}`;
  await db.rows(
    sql`insert into files (name, media_type, size, bytes) values (${name}, ${kinds[ext]}, ${image.length}, ${image})`,
  );
  return { name };
}

async function reencode(bytes: Uint8Array, ext: keyof typeof kinds, maxSide: number): Promise<Buffer | undefined> {
  const sharp = await loadSharp();
  try {
    const picture = sharp(bytes, { limitInputPixels: maxInputPixels, failOn: 'error' })
      .rotate()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true });
    return await (ext === 'png'
      ? picture.png({ compressionLevel: 9 })
      : picture.jpeg({ quality: 85, mozjpeg: true })
    ).toBuffer();
  } catch {
    // The content is not an image, although its first bytes say so.
    return undefined;
  }
}

/** Serves images. Names are generated, unguessable and never reused, so responses are immutable. */
export const fileRoutes: Routes = async (app) => {
  const { db } = app.services;
  app.get('/storage/images/:name', { config: { public: true, unlimited: true } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const file = new RegExp(`^${pictureName}$`).test(name)
      ? await db.selectOne(storedFileShape, sql`select ${storedFileColumns} from files f where f.name = ${name}`)
      : undefined;
    if (!file) throw ApiError.notFound();
    return sendStoredFile(reply, file, { 'Cache-Control': 'private, max-age=31536000, immutable' });
  });
};
