/** Object storage with the S3 protocol. Holds files and old raw messages if `FILES_URL` is set. */
import type { Readable } from 'node:stream';

export interface ObjectStorageSettings {
  /** `https://host:port` of the storage. */
  endpoint: string;
  bucket: string;
  /** Prefix of every key, with a trailing slash; may be empty. */
  prefix: string;
  region: string;
  /** Whether the bucket is the first segment of the path, not of the host name. */
  isPathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Object storage of this installation. Keys are generated, never reused, and passed without the prefix. */
export interface ObjectStorage {
  /**
   * Stores an object and verifies what was stored.
   * @throws ObjectStorageUnavailable
   */
  put(key: string, object: { bytes: Uint8Array; mediaType: string }): Promise<void>;
  /**
   * Streams an object of `size` bytes.
   * @throws ObjectStorageUnavailable
   */
  get(key: string, size: number): Promise<Readable>;
  /**
   * Removes an object, if it exists.
   * @throws ObjectStorageUnavailable
   */
  remove(key: string): Promise<void>;
}

/** The object storage is unreachable or rejects our requests: 503 with `Retry-After`. */
export class ObjectStorageUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ObjectStorageUnavailable';
  }
}

const parameters = ['region', 'pathStyle', 'tls'];
const flags: Record<string, boolean> = { true: true, false: false };

/**
 * Parses `s3://KEY:SECRET@host:port/bucket/prefix?region=eu-central-1&pathStyle=true&tls=true`. Takes key and secret
 * from `fallback` if the URL has none. Returns `undefined` for any other URL.
 */
export function parseFilesUrl(
  value: string,
  fallback: { accessKeyId?: string; secretAccessKey?: string } = {},
): ObjectStorageSettings | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const [bucket, ...folders] = url.pathname.split('/').slice(1).filter(Boolean);
  const isPathStyle = flags[url.searchParams.get('pathStyle') ?? 'true'];
  const isEncrypted = flags[url.searchParams.get('tls') ?? 'true'];
  const accessKeyId = decode(url.username) || fallback.accessKeyId;
  const secretAccessKey = decode(url.password) || fallback.secretAccessKey;
  const hasKnownParameters = [...url.searchParams.keys()].every((name) => parameters.includes(name));
  if (
    url.protocol !== 's3:' ||
    !url.host ||
    !hasKnownParameters ||
    isPathStyle === undefined ||
    isEncrypted === undefined
  )
    return undefined;
  if (
    !bucket ||
    !accessKeyId ||
    !secretAccessKey ||
    ![bucket, ...folders].every((segment) => plainSegment.test(segment))
  )
    return undefined;
  return {
    endpoint: `${isEncrypted ? 'https' : 'http'}://${url.host}`,
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    region: url.searchParams.get('region') ?? 'us-east-1',
    isPathStyle,
    accessKeyId,
    secretAccessKey,
  };
}

/** Characters that need no escaping in a path, so that every server computes the same signature. */
const plainSegment = /^[\w.-]+$/;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
