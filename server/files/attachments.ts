/** Attachments: accepted by their content, and served as downloads that no browser executes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileTypeFromBuffer } from 'file-type';
import { limits, type ProblemKey } from '../../schema/dsl/checks';
import { ApiError } from '../context/errors';
import { readFormParts } from '../http/readFormParts';
import { type StoredFile, sendStoredFile } from './storedFile';

const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  jpg: 'image/jpeg',
  png: 'image/png',
} as const;
type Kind = keyof typeof mediaTypes;
export const documentKinds: readonly Kind[] = ['pdf', 'docx', 'doc'];
export const attachmentKinds: readonly Kind[] = ['pdf', 'docx', 'doc', 'jpg', 'png'];

/** Reads the file of a form from its field `file`. `entity` is the resource whose labels the messages use. */
export async function readUploadedFile(
  request: FastifyRequest,
  entity: string,
): Promise<{ filename: string; bytes: Buffer }> {
  for await (const part of readFormParts(request, entity)) if ('bytes' in part && part.name === 'file') return part;
  throw ApiError.invalidAt('file', { key: 'file_required' }, entity);
}

type AttachmentResult = { mediaType: string } | { problem: ProblemKey };

/** Checks size, file name and content. Content and extension must agree on one of `kinds`. */
export async function validateAttachment({
  filename,
  bytes,
  kinds,
}: {
  filename: string;
  bytes: Buffer;
  kinds: readonly Kind[];
}): Promise<AttachmentResult> {
  if (bytes.length > limits.document) return { problem: 'document_size' };
  if (!isFileName(filename)) return { problem: 'file_name' };
  const kind = await kindOf(bytes);
  const extension = extensionOf(filename);
  if (kind === undefined || !kinds.includes(kind) || kind !== (extension === 'jpeg' ? 'jpg' : extension))
    return { problem: kinds === documentKinds ? 'document_type' : 'attachment_type' };
  return { mediaType: mediaTypes[kind] };
}

/**
 * Detects the kind from the content. An old Word file is a compound file with a stream named WordDocument in UTF-16.
 */
async function kindOf(bytes: Buffer): Promise<Kind | undefined> {
  const ext = (await fileTypeFromBuffer(bytes))?.ext;
  if (ext === 'cfb') return bytes.includes(Buffer.from('WordDocument', 'utf16le')) ? 'doc' : undefined;
  return ext !== undefined && Object.hasOwn(mediaTypes, ext) ? (ext as Kind) : undefined;
}

export const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/**
 * Whether a name is a plain file name: at most 200 characters, with an extension of letters, without path, control or
 * reserved characters.
 */
export const isFileName = (name: string | undefined): boolean =>
  name !== undefined &&
  name.length <= 200 &&
  !/[\p{Cc}\p{Cs}<>:"/\\|?*]/u.test(name) &&
  /^[^.\s].*\.[A-Za-z]{3,4}$/.test(name);

/** Sends a file as a download. */
export function sendAttachment(reply: FastifyReply, file: StoredFile & { name: string }): Promise<FastifyReply> {
  return sendStoredFile(reply, file, {
    'Content-Disposition': contentDisposition(file.name),
    'Content-Security-Policy':
      "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
  });
}

/** `Content-Disposition` as in RFC 6266: an ASCII name for old programs, and the exact name. */
function contentDisposition(name: string): string {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`;
}
