/**
 * Addresses that a webhook may reach: those of the internet, and hosts that whoever runs the server has allowed
 * (`WEBHOOK_ALLOW`).
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Of version 6 only this is global unicast; what lies outside is not handed out. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address in its usual spelling is one of the internet: in none of IANA's special-purpose networks, such as
 * private, loopback, link-local with the metadata services of clouds, shared by providers (CGNAT), documentation,
 * multicast, or, in version 6, what carries addresses of version 4 inside.
 */
export function isPublicAddress(address: string): boolean {
  // Stricter than the library, which also reads `0x7f.1`, `2130706433` and addresses with a zone.
  const kind = address.includes('%') ? 0 : isIP(address);
  if (kind === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (kind === 4 || parsed.match(globalUnicast));
}

/** The host of a URL without the brackets of version 6 and the dot that ends a full name. */
export const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/**
 * Whether somebody who runs the server named this host: `intranet.example` or, with a port, `intranet.example:8443`.
 */
export const isAllowed = (url: URL, allowed: readonly string[]): boolean => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowed.some((one) => [hostOf(url), `${hostOf(url)}:${port}`].includes(one.toLowerCase()));
};

/**
 * The URL if it may be asked for at all, whatever its name turns out to mean. Spellings such as `http://2130706433` and
 * `http://0177.1` are read as browsers read them, so they are judged as the addresses they are.
 */
export function webhookUrl(text: string, allowed: readonly string[]): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (isAllowed(url, allowed)) return url;
  const host = hostOf(url);
  if (isIP(host)) return isPublicAddress(host) ? url : undefined;
  const isName = host.includes('.') && !/(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);
  return isName ? url : undefined;
}
