/**
 * One-time codes by time (RFC 6238), as every authenticator app makes them: SHA-1, six digits, thirty seconds. The
 * arithmetic is otpauth's.
 */
import { Secret, TOTP } from 'otpauth';

const shape = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Clocks of phones are off by a little: the code before and the one after also count. */
const drift = 1;

/** A copy, as small buffers share their memory with others. */
const secretOf = (bytes: Uint8Array) => new Secret({ buffer: Uint8Array.from(bytes).buffer });

/** The step whose code this is, near a moment; `undefined` for a code that is none of them. */
export function stepOf(secret: Uint8Array, code: string, moment: Date): number | undefined {
  // The library compares bytes in constant time and throws at other lengths.
  if (!/^\d{6}$/.test(code)) return undefined;
  const timestamp = moment.getTime();
  const delta = TOTP.validate({ ...shape, secret: secretOf(secret), token: code, timestamp, window: drift });
  return delta === null ? undefined : TOTP.counter({ ...shape, timestamp }) + delta;
}

/** RFC 4648, section 6, without padding: how people type a secret. */
export const base32 = (bytes: Uint8Array): string => secretOf(bytes).base32;

/** What the QR code holds: authenticator apps read it by itself. */
export const keyUri = ({ secret, account, issuer }: { secret: Uint8Array; account: string; issuer: string }): string =>
  new TOTP({ ...shape, secret: secretOf(secret), label: account, issuer }).toString();
