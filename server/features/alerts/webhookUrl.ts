/** Decides which addresses webhooks may reach: public ones, and hosts allowed by the operator (`WEBHOOK_ALLOW`). */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only global unicast range of IPv6. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether a canonical address is public: in none of IANA's special-purpose networks, such as private, loopback,
 * link-local (cloud metadata services), CGNAT, documentation, multicast, or IPv6 with embedded IPv4.
 */
export function isPublicAddress(address: string): boolean {
  // Stricter than the library, which also accepts `0x7f.1`, `2130706433` and addresses with a zone.
  const kind = address.includes('%') ? 0 : isIP(address);
  if (kind === 0) return false;
  const parsedAddress = ipaddr.parse(address);
  return parsedAddress.range() === 'unicast' && (kind === 4 || parsedAddress.match(globalUnicast));
}

/** Host of a URL without the brackets of IPv6 and the trailing dot of a full name. */
export const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** Whether the operator allowed this host: `intranet.example`, or `intranet.example:8443` with a port. */
export const isAllowed = (url: URL, allowedHosts: readonly string[]): boolean => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowedHosts.some((host) => [hostOf(url), `${hostOf(url)}:${port}`].includes(host.toLowerCase()));
};

/**
 * Parses the URL of a webhook. Returns `undefined` if it is unacceptable whatever its name resolves to. Spellings such
 * as `http://2130706433` and `http://0177.1` are parsed as browsers do, and the address that they mean is checked.
 */
export function parseWebhookUrl(text: string, allowedHosts: readonly string[]): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (isAllowed(url, allowedHosts)) return url;
  const host = hostOf(url);
  if (isIP(host)) return isPublicAddress(host) ? url : undefined;
  const isName = host.includes('.') && !/(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);
  return isName ? url : undefined;
}
