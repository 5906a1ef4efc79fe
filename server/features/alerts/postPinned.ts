/**
 * POSTs to a user-supplied URL. Resolves its name once, checks the addresses and connects to one of them, which
 * prevents DNS rebinding.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, isAllowed, isPublicAddress, parseWebhookUrl } from './webhookUrl';

export interface PinnedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Hosts that may be reached although they are not public. */
  allowedHosts: readonly string[];
  /** Total time limit in milliseconds. */
  timeout?: number;
  lookup?: Lookup;
}

/** Resolves a host name to all its addresses. */
export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>;

const defaultTimeout = 10_000;
/** Bytes of the response to read; its content is ignored. */
const maxResponseBytes = 64 * 1024;

/** Thrown for an address that must not be reached, so that retrying is useless. */
export class ForbiddenAddress extends Error {
  constructor() {
    super('This address may not be reached.');
    this.name = 'ForbiddenAddress';
  }
}

/**
 * Returns the status of the response. Does not follow redirects.
 * @throws ForbiddenAddress if the URL is not acceptable, or its name has an address that is not public
 */
export async function postPinned({
  url: text,
  headers,
  body,
  allowedHosts,
  timeout = defaultTimeout,
  lookup = lookupAll,
}: PinnedRequest): Promise<number> {
  const url = parseWebhookUrl(text, allowedHosts);
  if (!url) throw new ForbiddenAddress();
  const signal = AbortSignal.timeout(timeout);
  const targetAddress = await Promise.race([resolveTarget(url, allowedHosts, lookup), rejectOnAbort(signal)]);
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
            ? (done as unknown as (error: null, addresses: unknown[]) => void)(null, [targetAddress])
            : done(null, targetAddress.address, targetAddress.family),
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

/** Returns the address to connect to. Throws `ForbiddenAddress` if even one address of the name is not public. */
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

/** Rejects when the signal aborts. A DNS look-up cannot be aborted, only abandoned. */
const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

const lookupAll: Lookup = (host) => systemLookup(host, { all: true });
