/**
 * POSTs to a user-supplied URL: resolved once, checked, and connected to the checked address (against DNS rebinding).
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, isAllowed, isPublicAddress, webhookUrl } from './webhookUrl';

export interface PinnedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Hosts that may be reached although they are not public. */
  allowed: readonly string[];
  /** Total time limit in milliseconds. */
  timeout?: number;
  lookup?: Lookup;
}

export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>;

const defaultTimeout = 10_000;
/** Bytes of the response to read; its content is ignored. */
const maxResponseBytes = 64 * 1024;

/** The address must not be reached; retrying is useless. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('This address may not be reached.');
    this.name = 'Forbidden';
  }
}

/** Returns the status of the response. Redirects are not followed. */
export async function postPinned({
  url: text,
  headers,
  body,
  allowed,
  timeout = defaultTimeout,
  lookup = lookupAll,
}: PinnedRequest): Promise<number> {
  const url = webhookUrl(text, allowed);
  if (!url) throw new ForbiddenAddress();
  const signal = AbortSignal.timeout(timeout);
  const target = await Promise.race([resolveTarget(url, allowed, lookup), rejectOnAbort(signal)]);
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: 'POST',
        // No keep-alive: every message resolves its address again.
        agent: false,
        signal,
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' },
        lookup: (_host, options, done) =>
          options.all
            ? (done as unknown as (error: null, addresses: unknown[]) => void)(null, [target])
            : done(null, target.address, target.family),
      },
      (response) => {
        let bytes = 0;
        const end = () => {
          response.destroy();
          resolve(response.statusCode ?? 0);
        };
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxResponseBytes) end();
        });
        response.on('end', end);
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Address to connect to. Rejects a name that resolves to even one internal address. */
async function resolveTarget(
  url: URL,
  allowedHosts: readonly string[],
  lookup: Lookup,
): Promise<{ address: string; family: number }> {
  const host = hostOf(url);
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host);
  const [firstAddress] = addresses;
  if (!firstAddress) throw new Error(`${host} has no address.`);
  if (!isAllowed(url, allowedHosts) && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new ForbiddenAddress();
  return firstAddress;
}

/** A DNS look-up cannot be aborted, only abandoned. */
const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

const lookupAll: Lookup = (host) => systemLookup(host, { all: true });
