/** Sends alerts to other programs as JSON, signed by the scheme of Standard Webhooks (www.standardwebhooks.com). */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Lookup, postPinned } from './postPinned';

export interface WebhookDelivery {
  /** Id of the delivery, the same in every attempt. */
  id: string;
  url: string;
  secret: Uint8Array;
  payload: Record<string, unknown>;
  now: Date;
  allowedHosts: readonly string[];
  lookup?: Lookup;
}

/** Signer for a stored secret: `whsec_` and the key in Base64, in Base64url before version 0.2. */
const createSigner = (secret: Uint8Array): Webhook =>
  new Webhook(
    Buffer.from(
      Buffer.from(secret)
        .toString()
        .replace(/^whsec_/, ''),
      'base64',
    ),
    { format: 'raw' },
  );

/** Signs as versions before 0.2 did, with the whole secret as key. The next release drops this. */
const signLegacy = (secret: Uint8Array, { seconds, body }: { seconds: number; body: string }): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

/** Sends a message. Throws unless the receiver confirms with 2xx. */
export async function sendWebhook({
  id,
  url,
  secret,
  payload,
  now,
  allowedHosts,
  lookup,
}: WebhookDelivery): Promise<void> {
  const body = JSON.stringify({ id, ...payload });
  const seconds = Math.floor(now.getTime() / 1000);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Sweepline',
    'Sweepline-Delivery': id,
    'Sweepline-Signature': signLegacy(secret, { seconds, body }),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': createSigner(secret).sign(id, new Date(seconds * 1000), body),
  };
  const status = await postPinned({ url, headers, body, allowedHosts, lookup });
  if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}.`);
}
