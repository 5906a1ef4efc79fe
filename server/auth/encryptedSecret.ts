/**
 * Secrets that the server itself must read again: sealed with its own key, so that whoever reads the database alone
 * cannot use them.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const lengths = { nonce: 12, tag: 16 };

/** AES-256-GCM. `owner` is sealed in: moved to somebody else's row, it cannot be opened. */
export function seal(serverKey: Uint8Array, secret: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serverKey), nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/** @throws when it was sealed with another key, for another owner, or changed */
export function unseal(serverKey: Uint8Array, sealed: Uint8Array, owner: string): Buffer {
  const bytes = Buffer.from(sealed);
  const [nonce, body, tag] = [
    bytes.subarray(0, lengths.nonce),
    bytes.subarray(lengths.nonce, -lengths.tag),
    bytes.subarray(-lengths.tag),
  ];
  const cipher = createDecipheriv('aes-256-gcm', keyOf(serverKey), nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
  return Buffer.concat([cipher.update(body), cipher.final()]);
}

/** A key of its own: the server's also signs user tokens. */
const keyOf = (serverKey: Uint8Array) => Buffer.from(hkdfSync('sha256', serverKey, '', 'sweepline second factors', 32));
