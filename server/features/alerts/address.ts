/**
 * Addresses that a webhook may reach: those of the internet, and hosts that whoever runs the server has allowed
 * (`WEBHOOK_ALLOW`).
 */
import { BlockList, isIP } from 'node:net';

/**
 * Networks that are nobody's on the internet (IANA's registries of special-purpose addresses): private, loopback,
 * link-local with the metadata services of clouds, shared by providers (CGNAT), documentation, multicast, reserved.
 */
const closed = new BlockList();
const v4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
for (const [network, bits] of v4) closed.addSubnet(network, bits, 'ipv4');

/**
 * Of version 6 only global unicast is open, without what carries addresses of version 4 inside (6to4, Teredo) or is
 * reserved.
 */
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
const closed6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed6.addSubnet(network, bits, 'ipv6');

/** Whether an address in its usual spelling is one of the internet. */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return !closed.check(address, 'ipv4');
  if (kind === 6) return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
  return false;
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
