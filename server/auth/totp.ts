/**
 * One-time codes by time (RFC 6238) on counters (RFC 4226), as every authenticator app makes them: SHA-1, six digits,
 * thirty seconds.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const period = 30;
/** Clocks of phones are off by a little: the code before and the one after also count. */
const drift = 1;

/** The step of thirty seconds in which a moment lies. */
export const stepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / period);

/** The code of a step. */
export function codeAt(
  secret: Uint8Array,
  step: number,
  { digits = 6, algorithm = 'sha1' }: { digits?: number; algorithm?: string } = {},
): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac(algorithm, secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is, near a moment; `undefined` for a code that is none of them. */
export function stepOf(secret: Uint8Array, code: string, moment: Date): number | undefined {
  const given = Buffer.from(code);
  const now = stepAt(moment);
  const near = Array.from({ length: 2 * drift + 1 }, (_, index) => now - drift + index);
  return near
    .filter((step) => step >= 0)
    .find((step) => given.length === 6 && timingSafeEqual(given, Buffer.from(codeAt(secret, step))));
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, section 6, without padding: how people type a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What the QR code holds: authenticator apps read it by itself. */
export function keyUri({ secret, account, issuer }: { secret: Uint8Array; account: string; issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=${period}`;
}
