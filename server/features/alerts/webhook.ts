/** Alerts for other programs: signed JSON. A receiver knows a repeated delivery by its id. */
import { createHmac } from 'node:crypto';
import { type Lookup, post } from './pinnedPost';

export interface WebhookDelivery {
  /** The same with every try. */
  id: string;
  url: string;
  secret: Uint8Array;
  payload: Record<string, unknown>;
  now: Date;
  allowed: readonly string[];
  lookup?: Lookup;
}

/** The signature of a body at a moment, in seconds since 1970. */
export const signatureOf = (secret: Uint8Array, { at, body }: { at: number; body: string }): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

/** Resolves once the receiver has taken it with 2xx. */
export async function deliver({ id, url, secret, payload, now, allowed, lookup }: WebhookDelivery): Promise<void> {
  const body = JSON.stringify({ id, ...payload });
  const at = Math.floor(now.getTime() / 1000);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Sweepline',
    'Sweepline-Delivery': id,
    'Sweepline-Signature': signatureOf(secret, { at, body }),
  };
  const status = await post({ url, headers, body, allowed, lookup });
  if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}.`);
}
