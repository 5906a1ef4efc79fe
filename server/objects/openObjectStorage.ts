/** Client of a storage with the protocol of S3. `aws4fetch` signs requests, Node's `fetch` sends them. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { type ObjectStorage, type ObjectStorageSettings, ObjectStorageUnavailable } from '../context/objectStorage';

/** Maximum milliseconds until the headers of a response; an upload must send its whole body in this time. */
const timeout = 20_000;

/** Codes of errors of a connection that the other side closed. */
const closedConnectionCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

type ObjectMethod = 'PUT' | 'HEAD' | 'GET' | 'DELETE';

/** The database names an object that the storage does not have. */
class ObjectMissing extends Error {
  constructor(key: string) {
    super(`The object ${key} is missing in the object storage.`);
    this.name = 'ObjectMissing';
  }
}

export function openObjectStorage(settings: ObjectStorageSettings): ObjectStorage {
  const { accessKeyId, secretAccessKey, region } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  const baseUrl = baseUrlOf(settings);

  /**
   * Sends a request; the caller must consume or cancel the body of the response. All requests are idempotent, so one is
   * sent again if the storage was just closing the reused connection.
   */
  async function send(
    method: ObjectMethod,
    key: string,
    init: { body?: Uint8Array; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const abortController = new AbortController();
    const timer = setTimeout(() => abortController.abort(new Error(`No answer within ${timeout / 1000} s.`)), timeout);
    const fetchOnce = async () => {
      const request = await client.sign(`${baseUrl}${key}`, { method, ...init } as RequestInit);
      return fetch(request, { redirect: 'manual', signal: abortController.signal });
    };
    try {
      return await fetchOnce().catch((error: unknown) => {
        if (!closedConnectionCodes.has(reasonOf(error))) throw error;
        return fetchOnce();
      });
    } catch (error) {
      throw new ObjectStorageUnavailable(`The object storage cannot be reached (${method}): ${reasonOf(error)}`, error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async put(key, { bytes, mediaType }) {
      const hash = (algorithm: string) => createHash(algorithm).update(bytes).digest();
      const md5 = hash('md5');
      const putResponse = await send('PUT', key, {
        body: bytes,
        headers: {
          'Content-Type': mediaType,
          'Content-MD5': md5.toString('base64'),
          'X-Amz-Content-Sha256': hash('sha256').toString('hex'),
        },
      });
      await requireSuccess(putResponse, 'PUT');
      await putResponse.body?.cancel();
      const response = await send('HEAD', key);
      await requireSuccess(response, 'HEAD');
      const size = Number(response.headers.get('content-length'));
      if (size !== bytes.length || !agreesWithDigest(putResponse, md5.toString('hex')))
        throw new ObjectStorageUnavailable(
          `The object storage stored ${size} of ${bytes.length} bytes, or other bytes than sent.`,
        );
    },

    async get(key, size) {
      const response = await send('GET', key);
      await requireSuccess(response, 'GET', key);
      const length = response.headers.get('content-length');
      if (!response.body || (length !== null && Number(length) !== size)) {
        await response.body?.cancel();
        throw new Error(`The object ${key} has ${length} bytes in the object storage, not ${size}.`);
      }
      return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    },

    async remove(key) {
      const response = await send('DELETE', key);
      await requireSuccess(response, 'DELETE', key).catch((error: unknown) => {
        if (!(error instanceof ObjectMissing)) throw error;
      });
      await response.body?.cancel().catch(() => undefined);
    },
  };
}

function baseUrlOf({ endpoint, bucket, prefix, isPathStyle }: ObjectStorageSettings): string {
  const url = new URL(endpoint);
  if (!isPathStyle) url.host = `${bucket}.${url.host}`;
  return `${url.origin}/${isPathStyle ? `${bucket}/` : ''}${prefix}`;
}

/** Whether the ETag agrees with `md5`. With a key of KMS, or for an upload in parts, it is no digest, which passes. */
function agreesWithDigest({ headers }: Response, md5: string): boolean {
  const etag = headers.get('etag')?.replace(/"/g, '') ?? '';
  const isDigest = /^[0-9a-f]{32}$/.test(etag) && !headers.get('x-amz-server-side-encryption')?.startsWith('aws:kms');
  return !isDigest || etag === md5;
}

/** Throws unless the response is a success; with `key`, 404 means that the object is missing. */
async function requireSuccess(response: Response, method: ObjectMethod, key?: string): Promise<void> {
  if (response.status >= 200 && response.status < 300) return;
  const body = await response.text().catch(() => '');
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1];
  if (key !== undefined && response.status === 404 && code === 'NoSuchKey') throw new ObjectMissing(key);
  throw new ObjectStorageUnavailable(
    `The object storage refuses ${method} with ${response.status}${code ? ` (${code})` : ''}.`,
  );
}

/** Message of an error; `fetch` gives the reason of a failure as `cause` only. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? (cause as NodeJS.ErrnoException).code || cause.message : error.message;
}
