/**
 * Time-based one-time codes (RFC 6238) as in every authenticator app: SHA-1, six digits, 30 seconds. Computed by
 * otpauth.
 */
import { Secret, TOTP } from 'otpauth';

const totpOptions = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Tolerated steps of clock drift in either direction. */
const driftSteps = 1;

/** Copies the bytes, because small Buffers share one underlying ArrayBuffer. */
const secretOf = (bytes: Uint8Array) => new Secret({ buffer: Uint8Array.from(bytes).buffer });

/** Returns the time step of a code that is valid around `instant`; `undefined` for a wrong code. */
export function stepOf(secret: Uint8Array, code: string, instant: Date): number | undefined {
  // The library compares in constant time, but throws for codes of another length.
  if (!/^\d{6}$/.test(code)) return undefined;
  const timestamp = instant.getTime();
  const delta = TOTP.validate({ ...totpOptions, secret: secretOf(secret), token: code, timestamp, window: driftSteps });
  return delta === null ? undefined : TOTP.counter({ ...totpOptions, timestamp }) + delta;
}

/** Base32 without padding (RFC 4648, section 6), the form in which people type a secret. */
export const base32 = (bytes: Uint8Array): string => secretOf(bytes).base32;

/** Content of the QR code for authenticator apps. */
export const keyUri = ({ secret, account, issuer }: { secret: Uint8Array; account: string; issuer: string }): string =>
  new TOTP({ ...totpOptions, secret: secretOf(secret), label: account, issuer }).toString();
