/** Encrypts secrets that the server must read back. They are useless to anybody who can read only the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const lengths = { nonce: 12, tag: 16 };

/**
 * Encrypts with AES-256-GCM. `owner` is authenticated: copied into another owner's row, the secret cannot be decrypted.
 */
export function seal(serverKey: Uint8Array, secret: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serverKey), nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts what `seal` encrypted.
 * @throws if the key or owner differs, or the data was changed
 */
export function unseal(serverKey: Uint8Array, sealedSecret: Uint8Array, owner: string): Buffer {
  const bytes = Buffer.from(sealedSecret);
  const [nonce, body, tag] = [
    bytes.subarray(0, lengths.nonce),
    bytes.subarray(lengths.nonce, -lengths.tag),
    bytes.subarray(-lengths.tag),
  ];
  const cipher = createDecipheriv('aes-256-gcm', keyOf(serverKey), nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
  return Buffer.concat([cipher.update(body), cipher.final()]);
}

/** Derives a separate key, because the server's key also signs user tokens. */
const keyOf = (serverKey: Uint8Array) => Buffer.from(hkdfSync('sha256', serverKey, '', 'sweepline second factors', 32));
